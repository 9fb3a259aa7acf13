package dev.headgate.server;

class PostgresWaitTest extends WaitContract {
    @Override
    String freshStore() {
        return TestDatabase.fresh();
    }
}
