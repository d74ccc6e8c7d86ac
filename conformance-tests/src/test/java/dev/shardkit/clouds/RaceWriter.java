package dev.shardkit.clouds;

import dev.shardkit.testing.Child;
import java.io.IOException;
import java.net.URI;

/** A process that updates a row: {@code ENDPOINT LOCATION ROW UPDATES}, with the key on standard input. */
final class RaceWriter {
    private RaceWriter() {}

    public static void main(String[] args) throws IOException {
        String keys = Child.input().readLine();
        Bucket bucket = new Bucket(URI.create(args[0]), keys, URI.create(args[1]));
        bucket.update(Integer.parseInt(args[2]), Integer.parseInt(args[3]), () -> System.out.println("updated"));
        System.out.println("done");
    }
}
