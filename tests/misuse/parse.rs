//! The declarations of the header: functions with their parameters, and the fields of structs. The
//! header is generated, so its form is known: one declaration ends with a semicolon.

/// A parameter or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its C type without `struct`, e.g. "const dz_entity *".
    pub of: String,
    /// Its name.
    pub name: String,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub params: Vec<Declared>,
}

fn without_comments(header: &str) -> String {
    let lines = header.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n")
}

/// "struct dz_world world" as type and name; a pointer's star belongs to the type, and an array's length is left out.
fn declared(text: &str) -> Declared {
    let text = text.replace('*', " * ");
    let mut words: Vec<_> = text.split_whitespace().filter(|word| *word != "struct").collect();
    let name = words.pop().unwrap_or_default().split('[').next().unwrap_or_default().to_owned();
    Declared { of: words.join(" ").replace("* *", "**"), name }
}

/// All functions of a header.
pub fn functions(header: &str) -> Vec<Function> {
    let text = without_comments(header);
    let function = |text: &str| {
        let (text, _) = text.split_once(';')?;
        let (head, params) = text.split_once('(')?;
        let params = params.trim().strip_suffix(')')?;
        let params: Vec<_> =
            params.split(',').map(str::trim).filter(|one| *one != "void" && !one.is_empty()).collect();
        Some(Function { name: declared(head).name, params: params.into_iter().map(declared).collect() })
    };
    text.split("DZ_API").skip(1).filter_map(function).collect()
}

/// The fields of a struct.
pub fn fields(header: &str, name: &str) -> Vec<Declared> {
    let text = without_comments(header);
    let from =
        text.find(&format!("struct {name} {{")).unwrap_or_else(|| panic!("struct {name} is in the header"));
    let body =
        text[from..].split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(body, _)| body);
    body.split(';').map(str::trim).filter(|field| !field.is_empty()).map(declared).collect()
}

#[test]
fn the_parser_sees_what_is_there() {
    let header = "
        /// Says (what) it does; DZ_API is not here.
        DZ_API
        dz_status dz_one(struct dz_world world,
                         const dz_entity *entities, // an array; really
                         void **out);
        DZ_API const char *dz_two(void);
        typedef struct dz_pair {
            /// The first; of two.
            uint32_t first;
            struct dz_hooks hooks;
        } dz_pair;";
    let of = |of: &str, name: &str| Declared { of: of.into(), name: name.into() };
    let params = vec![of("dz_world", "world"), of("const dz_entity *", "entities"), of("void **", "out")];
    assert_eq!(
        functions(header),
        [Function { name: "dz_one".into(), params }, Function { name: "dz_two".into(), params: vec![] },]
    );
    assert_eq!(fields(header, "dz_pair"), [of("uint32_t", "first"), of("dz_hooks", "hooks")]);
}
