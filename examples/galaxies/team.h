/* Threads of the program's own: denizen starts none. */
#ifndef GALAXIES_TEAM_H
#define GALAXIES_TEAM_H

enum { TEAM_MOST = 64 };

typedef void (*team_work)(int part, int parts, void *user);

/* Calls `work` for each part of 0..parts at once, one of them on this thread, and returns when all are done. */
void team_run(int parts, team_work work, void *user);

#endif
