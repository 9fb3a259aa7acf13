package dev.headgate.builtin;

import dev.headgate.internal.text.Text;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A range of addresses: {@code 10.0.0.0/8}, {@code fd00::/8}; one address is a range of its own. */
record Network(InetAddress first, int bits) {
    private static final Pattern FORM = Pattern.compile("([0-9a-fA-F:.]+)(?:/(\\d{1,3}))?");
    private static final Pattern FOUR_NUMBERS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    /** The part of IPv6 that is given out for public use; all the rest is for something else. */
    private static final Network PUBLIC_V6 = parse("2000::/3");

    /** What is not for public use: this machine, this site, this link with its metadata service, groups, documentation. */
    private static final List<Network> NOT_PUBLIC = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/4",
                    "240.0.0.0/4",
                    // These two wrap IPv4 addresses that cannot be checked.
                    "2001::/23",
                    "2002::/16",
                    "2001:db8::/32",
                    "3fff::/20")
            .map(Network::parse)
            .toList();

    static Network parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw unreadable(text);
        }
        InetAddress address = literal(text, form.group(1));
        int most = address.getAddress().length * 8;
        int bits = form.group(2) == null ? most : Integer.parseInt(form.group(2));
        if (bits > most) {
            throw unreadable(text);
        }
        return new Network(address, bits);
    }

    /** Only an address written out: a name would ask the network what this network is. */
    private static InetAddress literal(String text, String address) {
        if (!FOUR_NUMBERS.matcher(address).matches() && address.indexOf(':') < 0) {
            throw unreadable(text);
        }
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException notAnAddress) {
            throw unreadable(text);
        }
    }

    private static IllegalArgumentException unreadable(String text) {
        return new IllegalArgumentException(
                "network: expected a form such as 10.0.0.0/8 or fd00::/8, got '%s'".formatted(Text.visible(text)));
    }

    static boolean isPublic(InetAddress address) {
        boolean isV6 = address.getAddress().length > 4;
        return (!isV6 || PUBLIC_V6.contains(address))
                && NOT_PUBLIC.stream().noneMatch(network -> network.contains(address));
    }

    boolean contains(InetAddress address) {
        byte[] mine = first.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += 8) {
            int shift = Math.max(0, 8 - (bits - bit));
            if ((mine[bit / 8] & 0xff) >> shift != (other[bit / 8] & 0xff) >> shift) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return first.getHostAddress() + "/" + bits;
    }
}
