package dev.headgate.event;

import java.sql.Connection;

/** A planted fault: SQL outside the stores. */
public interface PlantedConnectionUser {
    void use(Connection connection);
}
