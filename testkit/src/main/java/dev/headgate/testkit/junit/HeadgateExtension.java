package dev.headgate.testkit.junit;

import dev.headgate.testkit.TestHeadgate;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test that has a parameter of type {@link TestHeadgate} one of its own, and closes it after the test. The methods
 * before and after that test get the same.
 *
 * <pre>{@code
 * @ExtendWith(HeadgateExtension.class)
 * class RemindersTest {
 *     @Test
 *     void noMoreThanThreeAMinute(TestHeadgate test) { … }
 * }
 * }</pre>
 */
public final class HeadgateExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(HeadgateExtension.class);

    /** JUnit makes one for each test class. */
    public HeadgateExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestHeadgate.class
                && context.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        TestHeadgate known = store.get(TestHeadgate.class, TestHeadgate.class);
        if (known == null) {
            known = TestHeadgate.open();
            store.put(TestHeadgate.class, known);
        }
        return known;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestHeadgate opened = context.getStore(NAMESPACE).remove(TestHeadgate.class, TestHeadgate.class);
        if (opened != null) {
            opened.close();
        }
    }
}
