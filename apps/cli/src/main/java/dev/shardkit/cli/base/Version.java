package dev.shardkit.cli.base;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version from the manifest of the jar. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        Package thisPackage = Version.class.getPackage();
        return new String[] {
            "shardkit "
                    + Optional.ofNullable(thisPackage.getImplementationVersion())
                            .orElse("(not from a jar)")
        };
    }
}
