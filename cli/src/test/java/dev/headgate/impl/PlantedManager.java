package dev.headgate.impl;

/** A planted fault: a name and a package that tell nothing. */
public final class PlantedManager {}
