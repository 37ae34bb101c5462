import java.time.Duration;
import java.util.Objects;
import okhttp3.OkHttpClient;

/** Carries out the story of a client against the box at BOX_URL and the gateway at GATEWAY_URL. */
public final class Story {
  public static void main(String[] arguments) throws Exception {
    BoxStory.run(System.getenv("BOX_URL"));
    GatewayStory.run(System.getenv("GATEWAY_URL"), System.getenv("REGISTRATION_TOKEN"));
  }

  /**
   * A client that waits for an install that downloads images: OkHttp's default is 10 seconds. It does not repeat a
   * request whose connection broke, because the server may have carried it out.
   */
  static OkHttpClient http() {
    return new OkHttpClient.Builder()
        .readTimeout(Duration.ofMinutes(30))
        .retryOnConnectionFailure(false)
        .build();
  }

  /** Prints what was found, and ends the story if it is not what was expected. */
  static void expect(String what, Object expected, Object found) {
    System.out.println(what + ": " + found);
    if (!Objects.equals(expected, found)) {
      throw new AssertionError(what + ": expected " + expected + ", found " + found);
    }
  }

  private Story() {}
}
