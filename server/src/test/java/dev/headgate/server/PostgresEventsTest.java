package dev.headgate.server;

class PostgresEventsTest extends EventsContract {
    @Override
    String freshStore() {
        return TestDatabase.fresh();
    }
}
