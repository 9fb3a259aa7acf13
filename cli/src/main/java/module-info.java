// The headgate command. Exports nothing, and is open because picocli sets the fields of commands.
open module dev.headgate.cli {
    requires dev.headgate;
    requires dev.headgate.builtin;
    requires dev.headgate.jdbc;
    requires dev.headgate.postgres;
    requires dev.headgate.server;
    requires dev.headgate.sqlite;
    requires info.picocli;
    requires java.management;
    requires java.net.http;
    requires jdk.httpserver;
    requires jdk.unsupported;
    requires static org.jspecify;
    requires org.slf4j;
    requires tools.jackson.databind;
}
