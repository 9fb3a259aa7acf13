package dev.headgate.proof.simulation;

import java.util.List;

/** What every job carries: a token that no other job has, and its gates. */
record Payload(long token, List<String> gates) {}
