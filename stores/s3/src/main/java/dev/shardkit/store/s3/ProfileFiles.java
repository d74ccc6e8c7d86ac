package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.cloud.SmallTextFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileLocation;

/**
 * Reads AWS's credentials file and configuration file; AWS's libraries find, parse and merge them. The files are read
 * at the first use, and again after they have changed. Errors name a file and a line, never its content. Thread-safe: a
 * monitor guards all fields. It is held while files are read, which is quick, as only small regular files are opened.
 */
final class ProfileFiles implements Supplier<ProfileFile> {
    /** The maximum size in bytes of a file, chosen far above real ones; AWS sets no limit. */
    private static final int LARGEST = 1 << 20;

    /** The pause between checks whether the files have changed. */
    private static final long CHECK_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Pattern LINE = Pattern.compile(" on line ([0-9]{1,9})");

    /** The properties of a file that change if its content does. */
    private record State(Path path, Object time, long size) {}

    private final LongSupplier clock;
    private @Nullable ProfileFile merged;
    private List<State> states = List.of();
    private long checkedAtNanos;

    ProfileFiles() {
        this(System::nanoTime);
    }

    /** Creates an instance with {@code clock}, a clock in nanoseconds. */
    ProfileFiles(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Returns the profiles of both files; those of files that do not exist are empty.
     *
     * @throws StoreException if a file is malformed, too large or cannot be read
     */
    @Override
    public synchronized ProfileFile get() {
        long nowNanos = clock.getAsLong();
        if (merged != null && nowNanos - checkedAtNanos < CHECK_NANOS) {
            return merged;
        }
        Optional<Path> credentials = located(ProfileFileLocation::credentialsFileLocation);
        Optional<Path> configuration = located(ProfileFileLocation::configurationFileLocation);
        List<State> currentStates = List.of(credentials, configuration).stream()
                .flatMap(path -> path.map(ProfileFiles::state).stream())
                .toList();
        if (merged == null || !currentStates.equals(states)) {
            ProfileFile.Aggregator aggregator = ProfileFile.aggregator();
            credentials.ifPresent(path -> aggregator.addFile(parse(path, ProfileFile.Type.CREDENTIALS)));
            configuration.ifPresent(path -> aggregator.addFile(parse(path, ProfileFile.Type.CONFIGURATION)));
            merged = aggregator.build();
            states = currentStates;
        }
        checkedAtNanos = nowNanos;
        return merged;
    }

    private static Optional<Path> located(Supplier<Optional<Path>> location) {
        try {
            return location.get();
        } catch (RuntimeException e) { // for example a path that the file system cannot have
            throw new StoreException("the AWS configuration files cannot be found; expected valid paths in"
                    + " AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE");
        }
    }

    private static State state(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new State(path, attributes.lastModifiedTime(), attributes.size());
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static ProfileFile parse(Path path, ProfileFile.Type type) {
        try (InputStream content = SmallTextFile.open(path, LARGEST)) {
            return ProfileFile.builder().content(content).type(type).build();
        } catch (IOException e) {
            throw unreadable(path, e);
        } catch (RuntimeException e) { // its message may quote the file
            Matcher line = LINE.matcher(String.valueOf(e.getMessage()));
            throw new StoreException("the AWS configuration file " + path + " is malformed"
                    + (line.find() ? " on line " + line.group(1) : ""));
        }
    }

    private static StoreException unreadable(Path path, IOException e) {
        return new StoreException("the AWS configuration file " + path + " cannot be read: " + SmallTextFile.words(e));
    }
}
