package dev.headgate.chaos;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * One connection through the proxy. What the server says is read message by message (a letter, a length, a body), which is
 * all of PostgreSQL's protocol that is needed to see a commit succeed. What the client says passes as it comes.
 */
final class ProxiedConnection {
    private static final byte[] COMMITTED = "COMMIT\0".getBytes(StandardCharsets.US_ASCII);
    private static final int COMMAND_COMPLETE = 'C';
    private static final int BODY_MAX = 64 << 20;

    private final Socket client;
    private final Socket server;
    private final Proxy proxy;
    private volatile boolean isSilent;

    ProxiedConnection(Socket client, Socket server, Proxy proxy) {
        this.client = client;
        this.server = server;
        this.proxy = proxy;
    }

    /** Carries both ways until one side ends. */
    void run() {
        Thread asking = Thread.ofVirtual().start(this::carryQuestions);
        carryAnswers();
        try {
            asking.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void carryQuestions() {
        byte[] buffer = new byte[16_384];
        try {
            InputStream from = client.getInputStream();
            OutputStream to = server.getOutputStream();
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                if (!isSilent) {
                    dawdle();
                    to.write(buffer, 0, count);
                }
            }
        } catch (IOException broken) {
            // Either side is gone, so the other one goes too.
        }
        hangUp();
    }

    private void carryAnswers() {
        try {
            DataInputStream from = new DataInputStream(new BufferedInputStream(server.getInputStream(), 16_384));
            DataOutputStream to = new DataOutputStream(new BufferedOutputStream(client.getOutputStream(), 16_384));
            for (int letter = from.read(); letter >= 0; letter = from.read()) {
                int length = from.readInt();
                if (length < 4 || length > BODY_MAX) {
                    throw new IOException("not a message of PostgreSQL");
                }
                byte[] body = new byte[length - 4];
                from.readFully(body);
                if (letter == COMMAND_COMPLETE && Arrays.equals(body, COMMITTED) && proxy.swallowsCommit()) {
                    break;
                }
                if (!isSilent) {
                    to.write(letter);
                    to.writeInt(length);
                    to.write(body);
                    if (from.available() == 0) {
                        dawdle();
                        to.flush();
                    }
                }
            }
        } catch (IOException broken) {
            // As above.
        }
        if (isSilent && !server.isClosed()) {
            return; // the server gave up; the client is not to know
        }
        hangUp();
    }

    private void dawdle() {
        long nanos = proxy.delayNanos();
        if (nanos > 0) {
            LockSupport.parkNanos(nanos);
        }
    }

    void silence() {
        isSilent = true;
    }

    void cut() {
        hangUp();
    }

    private void hangUp() {
        reset(client);
        reset(server);
    }

    /** With a reset, not with a polite end. */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException alreadyClosed) {
            // Then there is nothing to do.
        }
    }
}
