package dev.headgate.builtin;

import dev.headgate.handler.PermanentFailure;
import dev.headgate.internal.text.Text;
import java.net.IDN;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Where {@code http} jobs may call. Nothing is allowed until it is named:
 *
 * <ul>
 *   <li>hosts: {@code api.example.com}, {@code *.example.com} (names below it, not itself), {@code *} (any);
 *   <li>networks: addresses that are not public (this machine, private and link-local ones, and with them the metadata
 *       services of clouds) are refused even for an allowed host, unless they lie in one of these. An address, or
 *       {@code localhost}, that is named as a host is meant and needs no network beside it.
 * </ul>
 *
 * <p>A name is allowed only if all addresses behind it are, and the call goes to one of the addresses that were checked.
 */
public final class HostRules {
    /** Nothing is allowed. */
    public static final HostRules NONE = of(List.of(), List.of());

    static final String ANY = "*";
    private static final String BELOW = "*.";

    private final List<String> hosts;
    private final List<Network> networks;
    private final Resolver resolver;

    /** Finds the addresses of a host. */
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    HostRules(Collection<String> hosts, Collection<String> networks, Resolver resolver) {
        this.hosts = hosts.stream().map(HostRules::pattern).toList();
        this.networks = networks.stream().map(Network::parse).toList();
        this.resolver = resolver;
    }

    /**
     * Allows these and no others.
     *
     * @param hosts {@code api.example.com}, {@code *.example.com} or {@code *}
     * @param networks such as {@code 10.0.0.0/8}
     */
    public static HostRules of(Collection<String> hosts, Collection<String> networks) {
        return new HostRules(hosts, networks, InetAddress::getAllByName);
    }

    public boolean isNone() {
        return hosts.isEmpty();
    }

    /** A name, or a pattern of names, in its plain form. */
    static String pattern(String text) {
        String host = plain(text.strip().startsWith(BELOW) ? text.strip().substring(2) : text.strip());
        boolean isName = !host.isEmpty() && host.chars().noneMatch(c -> c <= ' ' || "/@*?#\\".indexOf(c) >= 0);
        boolean hasPort = host.indexOf(':') >= 0 && host.indexOf(':') == host.lastIndexOf(':');
        if (text.strip().equals(ANY)) {
            return ANY;
        }
        if (!isName || hasPort) {
            throw new IllegalArgumentException(
                    "host: expected a name such as api.example.com, *.example.com or *, got '%s'; no scheme, port or path"
                            .formatted(Text.visible(text)));
        }
        return text.strip().startsWith(BELOW) ? BELOW + host : host;
    }

    /** Lower case, without the brackets of an address and the dot at the end of a name. */
    static String plain(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        String name = bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
        try {
            return name.chars().allMatch(c -> c < 128)
                    ? name.toLowerCase(Locale.ROOT)
                    : IDN.toASCII(name).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException notAName) {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The addresses of the place, if it may be called. Call one of these: another look-up may give others.
     *
     * @throws PermanentFailure if not. It is stored, so it does not tell which address was found
     * @throws UnknownHostException if the host is not known, which may pass
     */
    List<InetAddress> check(URI uri) throws UnknownHostException {
        String host = plain(uri.getHost());
        if (hosts.stream().noneMatch(pattern -> matches(pattern, host))) {
            throw new PermanentFailure(
                    "host '%s': expected one that this worker allows, got another; allow it with --allow-host %s and retry the job"
                            .formatted(Text.visible(host), Text.visible(host)));
        }
        boolean isMeant = hosts.contains(host);
        List<InetAddress> addresses = List.of(resolver.addresses(host));
        for (InetAddress address : addresses) {
            boolean isNamed = isMeant && (host.equals("localhost") ? address.isLoopbackAddress() : isLiteral(host));
            if (!isNamed
                    && !Network.isPublic(address)
                    && networks.stream().noneMatch(network -> network.contains(address))) {
                throw new PermanentFailure(
                        "host '%s': expected public addresses, got one that is not; if that is meant, allow its network with --allow-network and retry the job"
                                .formatted(Text.visible(host)));
            }
        }
        return addresses;
    }

    static boolean matches(String pattern, String host) {
        return pattern.equals(ANY)
                || pattern.equals(host)
                || (pattern.startsWith(BELOW) && host.endsWith(pattern.substring(1)));
    }

    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }
}
