#include "team.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct {
    pthread_t thread;
    team_work work;
    void *user;
    int part, parts;
    bool started;
} Member;

static void *member_run(void *pointer)
{
    Member *m = pointer;
    m->work(m->part, m->parts, m->user);
    return NULL;
}

void team_run(int parts, team_work work, void *user)
{
    Member members[TEAM_MOST];
    if (parts > TEAM_MOST) parts = TEAM_MOST;
    for (int k = 1; k < parts; k++) {
        members[k] = (Member){.work = work, .user = user, .part = k, .parts = parts};
        members[k].started = pthread_create(&members[k].thread, NULL, member_run, &members[k]) == 0;
    }
    work(0, parts, user);
    for (int k = 1; k < parts; k++) {
        if (members[k].started) pthread_join(members[k].thread, NULL);
        else work(k, parts, user); /* the system has no thread to spare: then this one does it */
    }
}
