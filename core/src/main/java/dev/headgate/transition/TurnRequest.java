package dev.headgate.transition;

import java.util.List;

/**
 * What a worker brings to a turnaround: what it has finished, and how many jobs of which queues it can start at once.
 * No slots means it only brings back.
 */
public record TurnRequest(String worker, List<String> queues, int slots, List<Ended> ended) {}
