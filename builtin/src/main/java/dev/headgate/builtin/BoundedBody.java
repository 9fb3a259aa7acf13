package dev.headgate.builtin;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Takes the first bytes of an answer and hangs up on the rest: an endless answer costs no more than a short one. */
final class BoundedBody implements BodySubscriber<BoundedBody.Kept> {
    private final int bytesMax;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<Kept> kept = new CompletableFuture<>();
    private @Nullable Subscription subscription;

    /** What was taken, and whether there was more. */
    record Kept(ByteBuffer bytes, boolean isCut) {}

    BoundedBody(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public CompletionStage<Kept> getBody() {
        return kept;
    }

    @Override
    public void onSubscribe(Subscription source) {
        this.subscription = source;
        source.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (kept.isDone()) {
            return;
        }
        for (ByteBuffer buffer : buffers) {
            byte[] next = new byte[Math.min(buffer.remaining(), bytesMax - bytes.size())];
            boolean isTooMuch = next.length < buffer.remaining();
            buffer.get(next);
            bytes.writeBytes(next);
            if (isTooMuch) {
                end(true);
                return;
            }
        }
        if (subscription != null) {
            subscription.request(1);
        }
    }

    private void end(boolean isCut) {
        if (isCut && subscription != null) {
            subscription.cancel();
        }
        kept.complete(new Kept(ByteBuffer.wrap(bytes.toByteArray()).asReadOnlyBuffer(), isCut));
    }

    @Override
    public void onError(Throwable fault) {
        kept.completeExceptionally(fault);
    }

    @Override
    public void onComplete() {
        end(false);
    }
}
