package dev.headgate.room;

/** Where the figures of one resource come from. One that throws counts as: no room. */
interface Source {
    Reading read();
}
