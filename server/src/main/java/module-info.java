/** The HTTP API. A program embeds it with {@link dev.headgate.server.HeadgateServer}. */
// module: the command is compiled after it.
@SuppressWarnings("module")
module dev.headgate.server {
    requires transitive dev.headgate;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.util;
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires org.snakeyaml.engine.v2;
    requires tools.jackson.databind;

    exports dev.headgate.server;
    exports dev.headgate.server.token;
    exports dev.headgate.server.api to
            dev.headgate.cli;
    exports dev.headgate.server.policy to
            dev.headgate.cli;
    exports dev.headgate.server.simulation to
            dev.headgate.cli;
}
