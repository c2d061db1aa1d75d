//! Small line charts side by side, as SVG: time upwards, on a logarithmic scale.

use std::fmt::Write;

/// One chart.
pub struct Panel {
    pub title: String,
    pub x: Axis,
    /// For each of the lines, its points where there are any.
    pub points: Vec<Vec<(f64, f64)>>,
}

pub struct Axis {
    pub label: &'static str,
    pub logarithmic: bool,
    pub ticks: Vec<(f64, String)>,
}

/// A line's name and looks, the same in all panels.
pub struct Line {
    pub name: &'static str,
    pub colour: &'static str,
    pub width: f64,
    pub dashed: bool,
}

/// Panels side by side: at most, and at least, because the names of the lines need so much room.
const ACROSS: usize = 4;
const LEAST_ACROSS: usize = 3;
const WIDTH: f64 = 290.0;
const HEIGHT: f64 = 230.0;
/// Around a panel's plot, for what is written there.
const LEFT: f64 = 42.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;
/// Above all panels, for the title, the names of the lines and a note.
const HEAD: f64 = 80.0;
/// How far the axis goes on below the lowest point and above the highest.
const BELOW: f64 = 1.15;
const ABOVE: f64 = 1.6;
/// What a bold character takes on average, the unit beside a title, and a label on the axis; with a gap.
const BOLD: f64 = 6.5;
const UNIT: f64 = 20.0;
const LABEL: f64 = 30.0;
const TICKS: [f64; 10] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0];

pub fn render(title: &str, note: &str, unit: &str, lines: &[Line], panels: &[Panel]) -> String {
    let width = panels.len().clamp(LEAST_ACROSS, ACROSS) as f64 * WIDTH;
    let height = HEAD + panels.len().div_ceil(ACROSS) as f64 * HEIGHT;
    let mut svg = String::new();
    write(&mut svg, (width, height), (title, note), unit, lines, panels).expect("a String takes all");
    svg
}

fn write(
    svg: &mut String,
    (width, height): (f64, f64),
    (title, note): (&str, &str),
    unit: &str,
    lines: &[Line],
    panels: &[Panel],
) -> std::fmt::Result {
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"'DejaVu Sans', Verdana, sans-serif\" font-size=\"11\" fill=\"#222\">"
    )?;
    writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>")?;
    text(svg, (LEFT, 22.0), "start", "font-size=\"15\" font-weight=\"bold\"", title)?;
    let mut x = LEFT;
    for line in lines {
        let path = format!("M{x:.1} 42h24");
        stroke(svg, &path, line)?;
        text(svg, (x + 30.0, 46.0), "start", "", line.name)?;
        x += 50.0 + 6.2 * line.name.len() as f64;
    }
    text(svg, (LEFT, 66.0), "start", "fill=\"#555\"", note)?;
    // One scale for all, so that panels can be compared.
    let all = panels.iter().flat_map(|panel| panel.points.iter().flatten());
    let (low, high) =
        all.fold((f64::INFINITY, 0.0f64), |(low, high), point| (low.min(point.1), high.max(point.1)));
    for (number, panel) in panels.iter().enumerate() {
        let left = (number % ACROSS) as f64 * WIDTH;
        let top = HEAD + (number / ACROSS) as f64 * HEIGHT;
        writeln!(svg, "<g transform=\"translate({left} {top})\">")?;
        write_panel(svg, panel, unit, lines, (low / BELOW, high * ABOVE))?;
        writeln!(svg, "</g>")?;
    }
    writeln!(svg, "</svg>")
}

fn write_panel(
    svg: &mut String,
    panel: &Panel,
    unit: &str,
    lines: &[Line],
    (low, high): (f64, f64),
) -> std::fmt::Result {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let scale = |x: f64| if panel.x.logarithmic { x.ln() } else { x };
    let (first, last) = match panel.x.ticks.as_slice() {
        [(first, _), .., (last, _)] => (scale(*first), scale(*last)),
        // One tick has no extent.
        [(only, _)] => (scale(*only) - 1.0, scale(*only) + 1.0),
        [] => return Ok(()),
    };
    let at_x = |x: f64| LEFT + (scale(x) - first) / (last - first) * (right - LEFT);
    let at_y = |y: f64| bottom - (y.ln() - low.ln()) / (high.ln() - low.ln()) * (bottom - TOP);
    let title = fitting(&panel.title, right - LEFT - UNIT);
    text(svg, (LEFT, TOP - 12.0), "start", "font-weight=\"bold\"", &title)?;
    for tick in TICKS.into_iter().filter(|tick| (low..high).contains(tick)) {
        let y = at_y(tick);
        writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>")?;
        text(svg, (LEFT - 5.0, y + 4.0), "end", "", &format!("{tick}"))?;
    }
    let mut free = 0.0;
    for (x, label) in &panel.x.ticks {
        let x = at_x(*x);
        writeln!(svg, "<path d=\"M{x:.1} {bottom}v4\" stroke=\"#222\"/>")?;
        // A tick close to the one before it has no label.
        if x >= free {
            text(svg, (x, bottom + 16.0), "middle", "", label)?;
            free = x + LABEL;
        }
    }
    writeln!(svg, "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#222\"/>")?;
    text(svg, ((LEFT + right) / 2.0, bottom + 30.0), "middle", "fill=\"#555\"", panel.x.label)?;
    text(svg, (right, TOP - 12.0), "end", "fill=\"#555\"", unit)?;
    for (line, points) in lines.iter().zip(&panel.points) {
        let mut path = String::new();
        for (i, &(x, y)) in points.iter().enumerate() {
            let (x, y) = (at_x(x), at_y(y));
            let command = if i == 0 { 'M' } else { 'L' };
            write!(path, "{command}{x:.1} {y:.1}")?;
            // Shows what was measured, as against what lies between; and one point makes no line.
            dot(svg, (x, y), line)?;
        }
        if !path.is_empty() {
            stroke(svg, &path, line)?;
        }
    }
    Ok(())
}

/// As much of a title as there is room for, in whole words.
fn fitting(title: &str, room: f64) -> String {
    let most = (room / BOLD) as usize;
    if title.chars().count() <= most {
        return title.into();
    }
    let cut: String = title.chars().take(most).collect();
    let words = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", words.trim_end_matches([',', ';', ':']))
}

fn stroke(svg: &mut String, path: &str, line: &Line) -> std::fmt::Result {
    let dashes = if line.dashed { " stroke-dasharray=\"5 3\"" } else { "" };
    writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{dashes}/>",
        line.colour, line.width
    )
}

fn dot(svg: &mut String, (x, y): (f64, f64), line: &Line) -> std::fmt::Result {
    let (radius, colour) = (line.width, line.colour);
    writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"/>")
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, style: &str, text: &str) -> std::fmt::Result {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{text}</text>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_inside_its_panel() {
        let axis = Axis {
            label: "entities",
            logarithmic: true,
            ticks: vec![(1e3, "1k".into()), (1e6, "1M".into())],
        };
        let points = vec![vec![(1e3, 0.25), (1e6, 40.0)], vec![]];
        let panel = Panel { title: "a < b".into(), x: axis, points };
        let line = |name| Line { name, colour: "#000", width: 1.0, dashed: false };
        let svg = render("t", "n", "ns", &[line("one"), line("two")], &[panel]);
        assert!(svg.contains("a &lt; b"));
        let path = svg.lines().find(|line| line.contains("L270.0")).expect("the line ends at the right");
        let start = path.split_once("d=\"M").expect("a path").1;
        let numbers = start.split(['L', ' ', '"']).map_while(|number| number.parse::<f64>().ok());
        assert!(numbers.count() == 4);
    }

    #[test]
    fn titles_end_before_the_unit() {
        let room = 31.0 * BOLD;
        assert_eq!(fitting("10x: 1,024 combinations of tags", room), "10x: 1,024 combinations of tags");
        assert_eq!(
            fitting("g2: add V, random order, warm, beside a group", room),
            "g2: add V, random order, warm…"
        );
    }
}
