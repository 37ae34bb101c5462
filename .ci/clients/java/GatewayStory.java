import boxgate.gateway.ApiClient;
import boxgate.gateway.ApiException;
import boxgate.gateway.ApiResponse;
import boxgate.gateway.api.BoxesApi;
import boxgate.gateway.api.HealthApi;
import boxgate.gateway.api.RoutesApi;
import boxgate.gateway.model.Error;
import boxgate.gateway.model.PublishRequest;
import boxgate.gateway.model.PublishedRoute;
import boxgate.gateway.model.RegisterRequest;
import boxgate.gateway.model.RegisterResult;
import java.util.List;

/** Registers a box, publishes a route, and removes both. */
final class GatewayStory {
  private interface Call {
    Object send() throws ApiException;
  }

  static void run(String url, String registrationToken) throws Exception {
    ApiClient client = new ApiClient(Story.http()).setBasePath(url);
    BoxesApi boxes = new BoxesApi(client);
    RoutesApi routes = new RoutesApi(client);

    Story.expect("health", "ok", new HealthApi(client).getHealth().getStatus());

    ApiResponse<RegisterResult> registered =
        boxes.registerBoxWithHttpInfo(
            new RegisterRequest().registrationToken(registrationToken).boxName("attic"));
    Story.expect("status of the registration", 201, registered.getStatusCode());
    String id = registered.getData().getBoxId();
    String oldToken = registered.getData().getBoxToken();
    client.setBearerToken(oldToken);

    PublishRequest request = new PublishRequest().appName("notes").subdomain("notes").port(8230);
    ApiResponse<PublishedRoute> published = routes.publishRouteWithHttpInfo(request);
    Story.expect("status of the publication", 201, published.getStatusCode());
    expectError(409, () -> routes.publishRoute(request));
    List<String> ids =
        routes.listRoutes().getRoutes().stream().map(PublishedRoute::getId).toList();
    Story.expect("ids of the routes", List.of(published.getData().getId()), ids);
    String unpublished = routes.unpublishRoute(published.getData().getId()).getStatus();
    Story.expect("withdrawal of the route", "ok", unpublished);
    Story.expect("routes after it", List.of(), routes.listRoutes().getRoutes());

    String newToken = boxes.rotateBoxToken(id).getBoxToken();
    expectError(401, () -> routes.listRoutes());
    client.setBearerToken(newToken);
    Story.expect("deregistration", "ok", boxes.deregisterBox(id).getStatus());
    expectError(401, () -> routes.listRoutes());
  }

  private static void expectError(int status, Call call) throws Exception {
    try {
      throw new AssertionError("expected " + status + ", found " + call.send());
    } catch (ApiException refusal) {
      String text = Error.fromJson(refusal.getResponseBody()).getError();
      Story.expect("status of \"" + text + "\"", status, refusal.getCode());
      Story.expect("the error has a text", false, text.isEmpty());
    }
  }

  private GatewayStory() {}
}
