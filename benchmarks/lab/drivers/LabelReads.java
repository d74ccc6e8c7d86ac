import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfMatch;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Answers the queries of labels.py: a line of words is a job, the answer is the time in nanoseconds and the sum. */
class LabelReads {
    public static void main(String... arguments) throws IOException {
        try (CfDataset dataset = CfDataset.open(arguments[0])) {
            CfVariable variable = dataset.variable("t2m");
            BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
                String[] words = job.split(" ");
                List<String> times = new ArrayList<>();
                List<Double> lats = new ArrayList<>();
                List<Double> lons = new ArrayList<>();
                for (int i = 1; i < words.length && !words[0].equals("box"); i += 3) {
                    times.add(words[i]);
                    lats.add(Double.valueOf(words[i + 1]));
                    lons.add(Double.valueOf(words[i + 2]));
                }
                long begin = System.nanoTime();
                CfValues values =
                        switch (words[0]) {
                            case "open" -> {
                                try (CfDataset fresh = CfDataset.open(arguments[0])) {
                                    yield point(fresh.variable("t2m"), times.get(0), lats.get(0), lons.get(0))
                                            .read();
                                }
                            }
                            case "point" -> point(variable, times.get(0), lats.get(0), lons.get(0)).read();
                            case "points" ->
                                variable.select()
                                        .readPoints(Map.of("time", times, "lat", lats, "lon", lons), CfMatch.NEAREST);
                            default ->
                                variable.select()
                                        .within("time", words[1])
                                        .range("lat", Double.valueOf(words[2]), Double.valueOf(words[3]))
                                        .range("lon", Double.valueOf(words[4]), Double.valueOf(words[5]))
                                        .read();
                        };
                double[] numbers = values.doubles();
                long took = System.nanoTime() - begin;
                double sum = 0;
                for (double number : numbers) {
                    sum += number;
                }
                System.out.println(took + " " + sum);
            }
        }
    }

    private static CfSelection point(CfVariable variable, String time, double lat, double lon) {
        return variable.select().nearest("time", time).nearest("lat", lat).nearest("lon", lon);
    }
}
