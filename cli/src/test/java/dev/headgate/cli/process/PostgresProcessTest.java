package dev.headgate.cli.process;

class PostgresProcessTest implements ProcessContract {
    @Override
    public String freshStore() {
        return TestServer.freshDatabase();
    }
}
