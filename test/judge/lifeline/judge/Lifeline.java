package judge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Ties the server to the process that started it: the standard input ends when that process is gone, however it went. */
final class Lifeline {
    private Lifeline() {}

    /**
     * Waits on the standard input in a thread of its own. A line "exit" ends the server in good order (the class archive
     * is written then); the end of the input removes the data and stops at once. No other thread of the server keeps the process alive.
     */
    static void hold(Path home) {
        Thread thread = new Thread(() -> waitForEnd(home), "lifeline");
        thread.start();
    }

    private static void waitForEnd(Path home) {
        if (saysExit()) {
            System.exit(0);
        }
        try {
            remove(home);
        } finally {
            Runtime.getRuntime().halt(3);
        }
    }

    private static boolean saysExit() {
        StringBuilder said = new StringBuilder();
        InputStream input = System.in;
        try {
            for (int next = input.read(); next != -1; next = input.read()) {
                said.append((char) next);
                if (said.toString().equals("exit\n")) {
                    return true;
                }
            }
        } catch (IOException gone) {
            return false;
        }
        return false;
    }

    /** Again and again for a while, because the server writes on meanwhile. */
    private static void remove(Path home) {
        for (int attempt = 0; attempt < 5 && Files.exists(home); attempt++) {
            try {
                for (Path path : children(home)) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException | UncheckedIOException written) {
                continue;
            }
        }
    }

    private static List<Path> children(Path home) throws IOException {
        try (Stream<Path> paths = Files.walk(home)) {
            return paths.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
        }
    }
}
