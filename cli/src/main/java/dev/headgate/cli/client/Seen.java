package dev.headgate.cli.client;

import tools.jackson.databind.JsonNode;

/**
 * A request that the played server has received.
 *
 * @param millis when, since the server began
 * @param act register, turn, wait, heartbeat, notes or leave
 * @param worker the one that it speaks for; empty if it registers
 * @param connection the port at the client's side
 */
record Seen(long millis, String act, String worker, JsonNode body, int connection) {
    boolean is(String name) {
        return act.equals(name);
    }
}
