package dev.headgate.builtin;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A connection to an address that was checked. The name of the host is not looked up again; TLS asks the server to
 * prove it. Interrupting a thread that waits for it closes it.
 */
final class HttpConnection {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final Origin origin;
    private final InetAddress address;
    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    private HttpConnection(Origin origin, InetAddress address, SocketChannel channel, Socket socket)
            throws IOException {
        this.origin = origin;
        this.address = address;
        this.channel = channel;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
        this.out = socket.getOutputStream();
    }

    static HttpConnection open(
            Origin origin, InetAddress address, Supplier<SSLSocketFactory> tls, int connectMillis, Deadline deadline)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            deadline.guard(channel);
            channel.socket().connect(new InetSocketAddress(address, origin.port()), connectMillis);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Socket socket = origin.isTls() ? secured(origin, channel.socket(), tls.get()) : channel.socket();
            return new HttpConnection(origin, address, channel, socket);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    /** The factory sends the name of the host to the server if it is a name. */
    private static Socket secured(Origin origin, Socket plain, SSLSocketFactory tls) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(plain, origin.host(), origin.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    boolean leadsTo(Origin wanted, List<InetAddress> addresses) {
        return origin.equals(wanted) && addresses.contains(address);
    }

    SocketChannel channel() {
        return channel;
    }

    /** False if the server has hung up, or has sent something unasked. Does not wait. */
    boolean isQuiet() {
        try {
            return in.available() == 0 && isSilent();
        } catch (IOException closed) {
            return false;
        }
    }

    /** What is read here is lost, but then the connection is not used any more. */
    private boolean isSilent() throws IOException {
        channel.configureBlocking(false);
        int bytes = channel.read(ByteBuffer.allocate(1));
        channel.configureBlocking(true);
        return bytes == 0;
    }

    void send(byte[] request) throws IOException {
        out.write(request);
        out.flush();
    }

    /** @param bytesMax how much of the body to keep */
    Response receive(boolean isHead, int bytesMax) throws IOException {
        return new ResponseReader(in, bytesMax).read(isHead);
    }

    /** Without a TLS close, which could take long. */
    void close() {
        try {
            channel.close();
        } catch (IOException closed) {
            // It is not used any more.
        }
    }
}
