package dev.headgate.cli.server;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.server.HeadgateServer;
import dev.headgate.server.token.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serves the HTTP API of the store until it is stopped. */
@Command(
        name = "serve",
        description =
                "Serve the HTTP API of the store, until Ctrl-C. Every request needs a token, on this machine, too.",
        footer = {
            "",
            "Examples:",
            "  headgate token create ci --right read --right enqueue --queue mail",
            "  headgate serve",
            "  curl -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:8080/v1/jobs",
            "",
            "The contract of the API is at /openapi.yaml. It listens on loopback only, unless something in front ends TLS:",
            "  headgate serve --address 0.0.0.0 --behind-tls --allow-host jobs.example.com"
        })
public final class ServeCommand implements Callable<Integer> {
    private static final int PORT_DEFAULT = 8080;

    private final CommandContext shell;

    @Option(names = "--address", paramLabel = "ADDRESS", description = "listen here. Default: 127.0.0.1")
    private String address = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "listen on this port; 0 for any that is free. Default: 8080")
    private int port = PORT_DEFAULT;

    @Option(
            names = "--base-path",
            paramLabel = "PATH",
            description = "what a proxy in front puts before every path, such as /headgate")
    private String basePath = "";

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            description = "answer requests for this host, too, without a port; may be repeated")
    private List<String> hosts = new ArrayList<>();

    @Option(
            names = "--behind-tls",
            description = "states that something in front ends TLS, and that only it reaches the address")
    private boolean isBehindTls;

    public ServeCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws InterruptedException {
        shell.sayNothingMeanwhile();
        try (Headgate headgate = shell.openOrCreate(imagined -> {});
                HeadgateServer server = start(headgate)) {
            CountDownLatch stop = new CountDownLatch(1);
            AtomicInteger exit = new AtomicInteger(ExitCode.OK);
            shell.signals().onFirst(code -> {
                exit.set(code);
                stop.countDown();
            });
            tell(headgate, server);
            stop.await();
            return exit.get();
        }
    }

    private HeadgateServer start(Headgate headgate) {
        try {
            HeadgateServer.Builder builder =
                    HeadgateServer.of(headgate).address(address).port(port).basePath(basePath);
            hosts.forEach(builder::allowHost);
            return (isBehindTls ? builder.behindTls() : builder).start();
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(String.valueOf(wrong.getMessage()));
        } catch (IllegalStateException taken) {
            throw CommandException.bad(String.valueOf(taken.getMessage()));
        }
    }

    private void tell(Headgate headgate, HeadgateServer server) {
        if (shell.isJson()) {
            shell.say(JsonWriter.object().put("url", server.url()).put("port", server.port()));
            return;
        }
        shell.say("serving %s at %s".formatted(headgate.describe(), server.url()));
        if (Tokens.of(headgate).list().isEmpty()) {
            shell.note(
                    "there is no token yet, so nobody can use it; make one with 'headgate token create NAME --right read'");
        }
    }
}
