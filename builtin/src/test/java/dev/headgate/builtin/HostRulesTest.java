package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.handler.PermanentFailure;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostRulesTest {
    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getAllByName(text)[0];
    }

    /** A name server of our own: names that begin with "sneaky" lead to this machine, all others to a public place. */
    private static InetAddress[] lookUp(String host) throws UnknownHostException {
        InetAddress good = address("93.184.215.14");
        if (host.startsWith("sneaky")) {
            return new InetAddress[] {good, address("127.0.0.1")};
        }
        boolean isAddress = host.matches("[0-9.]+") || host.contains(":") || host.equals("localhost");
        return isAddress ? InetAddress.getAllByName(host) : new InetAddress[] {good};
    }

    private static boolean allows(List<String> hosts, List<String> networks, String url) throws UnknownHostException {
        try {
            new HostRules(hosts, networks, HostRulesTest::lookUp).check(URI.create(url));
            return true;
        } catch (PermanentFailure refused) {
            return false;
        }
    }

    @Test
    void nothingIsAllowedByDefault() {
        assertThat(HostRules.NONE.isNone()).isTrue();
        assertThatThrownBy(() -> HostRules.NONE.check(URI.create("http://127.0.0.1")))
                .isInstanceOf(PermanentFailure.class);
    }

    @ParameterizedTest
    @CsvSource({
        "api.example.com, http://api.example.com/, true",
        "API.Example.com, http://api.EXAMPLE.com./, true",
        "api.example.com, http://example.com/, false",
        "api.example.com, http://api.example.com.evil.org/, false",
        "api.example.com, http://evil-api.example.com/, false",
        "*.example.com, https://a.b.example.com/, true",
        "*.example.com, https://example.com/, false",
        "*.example.com, https://evilexample.com/, false",
        "*, https://anything.org/, true",
        "*, http://127.0.0.1/, false",
        "*, http://localhost/, false",
        "*, http://[::1]/, false",
        "*, http://[::ffff:127.0.0.1]/, false",
        "*, http://169.254.169.254/latest/meta-data, false",
        "127.0.0.1, http://127.0.0.1:8080/, true",
        "::1, http://[::1]/, true",
        "localhost, http://localhost/, true",
    })
    void namesAreMatchedWhole(String host, String url, boolean isAllowed) throws UnknownHostException {
        assertThat(allows(List.of(host), List.of(), url)).isEqualTo(isAllowed);
    }

    /** An allowed name that leads to this machine, with one public address for show. */
    @Test
    void aNameIsAllowedOnlyIfEveryAddressBehindItIs() throws UnknownHostException {
        assertThat(allows(List.of("sneaky.example.com"), List.of(), "http://sneaky.example.com/"))
                .isFalse();
        assertThat(allows(List.of("sneaky.example.com"), List.of("127.0.0.0/8"), "http://sneaky.example.com/"))
                .isTrue();
        assertThat(allows(List.of("sneaky.example.com"), List.of("10.0.0.0/8"), "http://sneaky.example.com/"))
                .isFalse();
    }

    /** The error is stored, and the right to enqueue is enough to read it. */
    @Test
    void aRefusalDoesNotTellTheAddress() {
        HostRules rules = new HostRules(List.of("*"), List.of(), HostRulesTest::lookUp);
        assertThatThrownBy(() -> rules.check(URI.create("http://sneaky.example.com/")))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("host 'sneaky.example.com': expected public addresses")
                .hasMessageContaining("--allow-network")
                .hasMessageNotContaining("127.0.0.1")
                .hasMessageNotContaining("93.184.215.14");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.1.2.3",
                "100.64.0.1",
                "100.100.100.200",
                "127.1.2.3",
                "169.254.169.254",
                "172.31.255.255",
                "192.168.0.1",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "fe80::1",
                "fd00:ec2::254",
                "fec0::1",
                "ff02::1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "2001:0:7f00:1::",
                "2001:db8::1"
            })
    void whatIsNotPublicIsKnown(String address) throws UnknownHostException {
        assertThat(Network.isPublic(address(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1.1.1", "172.32.0.1", "100.128.0.1", "192.167.1.1", "2606:4700::1111", "2a00:1450::1"})
    void whatIsPublicIsKnown(String address) throws UnknownHostException {
        assertThat(Network.isPublic(address(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http://example.com", "example.com:80", "a/b", "a b", "a.*.com", "*.", "u@h"})
    void aRuleThatCannotMatchIsRefused(String host) {
        assertThatThrownBy(() -> HostRules.of(List.of(host), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host: expected a name such as api.example.com");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.0/33", "example.com", "10/8", "fd00::/129", "10.0.0.0/-1"})
    void aNetworkThatIsNoneIsRefused(String network) {
        assertThatThrownBy(() -> HostRules.of(List.of(), List.of(network)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("network: expected a form such as 10.0.0.0/8");
    }
}
