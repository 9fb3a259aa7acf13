package dev.headgate.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;

/** A planted fault: objects read from bytes. */
public final class PlantedObjectReader {
    public Object read(InputStream bytes) throws IOException, ClassNotFoundException {
        return new ObjectInputStream(bytes).readObject();
    }
}
