package dev.headgate.builtin;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolver.LookupPolicy;
import java.net.spi.InetAddressResolverProvider;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;

/**
 * The name server of this JVM's tests: names below {@code changing.test} have another address at each look-up, all others
 * those that they have anyway. The JVM keeps no address (see the pom), so each look-up comes here.
 */
public final class ChangingNames extends InetAddressResolverProvider {
    private static final Map<String, Deque<String>> ANSWERS = new ConcurrentHashMap<>();

    /** One address for each look-up to come. */
    static void answer(String host, String... addresses) {
        ANSWERS.put(host, new ConcurrentLinkedDeque<>(List.of(addresses)));
    }

    /** How many look-ups are left. */
    static int left(String host) {
        return ANSWERS.getOrDefault(host, new ConcurrentLinkedDeque<>()).size();
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                if (!host.endsWith(".changing.test")) {
                    return usual.lookupByName(host, policy);
                }
                String address = ANSWERS.getOrDefault(host, new ConcurrentLinkedDeque<>())
                        .poll();
                if (address == null) {
                    throw new UnknownHostException(host);
                }
                return Stream.of(InetAddress.getByName(address));
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "changing names";
    }
}
