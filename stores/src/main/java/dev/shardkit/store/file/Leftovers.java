package dev.shardkit.store.file;

import dev.shardkit.store.Leftover;
import dev.shardkit.store.internal.Keys;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Looks for what killed processes have left: new files that never took their place, journals of patches. */
final class Leftovers {
  private static final String TEMPORARY = Keys.RESERVED + "-tmp-";
  private static final Duration STALE = Duration.ofHours(1);

  private final Path root;
  private final Consumer<Leftover> found;
  private final Set<Path> patched = new HashSet<>();

  private Leftovers(Path root, Consumer<Leftover> found) {
    this.root = root;
    this.found = found;
  }

  /** Names those below a prefix; links are not followed. */
  static void find(Tree tree, String prefix, Consumer<Leftover> found) {
    Path path = tree.directory(prefix);
    try {
      find(tree.real(path), tree.real(tree.root()), found);
    } catch (IOException e) {
      if (!tree.isAbsent(path, e)) {
        throw tree.failed("looking for leftovers below", prefix, e);
      }
    }
  }

  private static void find(Path directory, Path root, Consumer<Leftover> found) throws IOException {
    Leftovers leftovers = new Leftovers(root, found);
    Files.walkFileTree(directory, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        leftovers.visit(file, attributes);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
          return FileVisitResult.CONTINUE; // done meanwhile
        }
        throw e;
      }
    });
  }

  private void visit(Path file, BasicFileAttributes attributes) throws IOException {
    if (isStaleTemporary(file, attributes)) {
      found.accept(new Leftover(Leftover.Kind.TEMPORARY, name(file), Optional.empty(), attributes.size()));
      return;
    }
    Path own = file.getParent();
    Path patches = own.getParent();
    boolean journal = patches != null && patches.endsWith(Path.of(Keys.RESERVED, "patches"));
    if (journal && patched.add(own)) {
      Path target = patches.getParent().resolveSibling(own.getFileName());
      if (Recovery.isDue(PatchPlace.of(target))) {
        found.accept(new Leftover(Leftover.Kind.JOURNAL, name(file), Optional.of(name(target)), attributes.size()));
      }
    }
  }

  private String name(Path file) {
    StringBuilder name = new StringBuilder();
    for (Path part : root.relativize(file)) {
      name.append(name.isEmpty() ? "" : "/").append(part);
    }
    return name.toString();
  }

  /** Removes a new file that never took its place, if it is still one. */
  static boolean remove(Tree tree, Leftover leftover) {
    String name = leftover.name();
    int slash = name.lastIndexOf('/');
    Path directory = tree.directory(slash < 0 ? "" : name.substring(0, slash));
    try {
      Path file = tree.real(directory).resolve(name.substring(slash + 1));
      return isStaleTemporary(file,
              Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS))
          && Files.deleteIfExists(file);
    } catch (IOException e) {
      if (tree.isAbsent(directory, e)) {
        return false;
      }
      throw tree.failed("removing", name, e);
    }
  }

  /** Whether a file is one that a put made more than an hour ago. */
  private static boolean isStaleTemporary(Path file, BasicFileAttributes attributes) {
    return attributes.isRegularFile() && file.getFileName().toString().startsWith(TEMPORARY)
        && attributes.lastModifiedTime().toInstant().plus(STALE).isBefore(Instant.now());
  }
}
