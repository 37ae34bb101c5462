import boxgate.box.ApiClient;
import boxgate.box.ApiException;
import boxgate.box.ApiResponse;
import boxgate.box.api.AppsApi;
import boxgate.box.api.SelfUpdateApi;
import boxgate.box.model.BrokenApp;
import boxgate.box.model.Action;
import boxgate.box.model.AppSummary;
import boxgate.box.model.Error;
import boxgate.box.model.InstallRequest;
import boxgate.box.model.InstallResult;
import boxgate.box.model.InstalledApp;
import boxgate.box.model.InstalledEntry;
import boxgate.box.model.RemoveRequest;
import boxgate.box.model.SettingEntry;
import boxgate.box.model.SettingsUpdate;
import boxgate.box.model.SettingsUpdateResult;
import java.util.List;
import java.util.Map;

/** Installs, changes and removes apps. */
final class BoxStory {
  private interface Call {
    Object send() throws ApiException;
  }

  static void run(String url) throws Exception {
    ApiClient client = new ApiClient(Story.http()).setBasePath(url);
    AppsApi apps = new AppsApi(client);

    List<InstalledEntry> before = apps.listApps();
    if (!(before.get(0).getActualInstance() instanceof BrokenApp broken)) {
      throw new AssertionError("the first app is " + before.get(0));
    }
    Story.expect("name of the broken app", "sketches", broken.getName());
    List<String> bundled = apps.listBundledApps().stream().map(AppSummary::getName).toList();
    Story.expect("bundled apps", List.of("notes", "unlucky"), bundled);
    List<String> settings =
        apps.getAppSettings("notes").getSettings().stream().map(SettingEntry::getName).toList();
    Story.expect("settings of notes", List.of("NOTES_PORT", "NOTES_PASSWORD"), settings);

    ApiResponse<InstallResult> installed =
        apps.installAppWithHttpInfo(
            new InstallRequest()
                .name("notes")
                .settings(Map.of("NOTES_PORT", "8230", "NOTES_PASSWORD", "kettle-42-lamp")));
    Story.expect("status of the install of notes", 200, installed.getStatusCode());
    Story.expect("actions fail", false, hasError(installed.getData().getActions()));
    Story.expect("actions were taken", false, installed.getData().getActions().isEmpty());

    List<InstalledEntry> entries = apps.listApps();
    Story.expect("number of installed apps", 2, entries.size());
    if (!(entries.get(0).getActualInstance() instanceof InstalledApp notes)) {
      throw new AssertionError("notes is " + entries.get(0));
    }
    Story.expect("name of the installed app", "notes", notes.getName());
    Story.expect("ports of notes", 1, notes.getPorts().size());
    // A later version may have other states, so an unknown one is only shown.
    Story.expect("the state of notes is a text", false, notes.getState().isEmpty());
    System.out.println("notes is " + notes.getState() + ": " + notes.getStateDetail());

    ApiResponse<InstallResult> unlucky =
        apps.installAppWithHttpInfo(new InstallRequest().name("unlucky"));
    Story.expect("status of the install of unlucky", 207, unlucky.getStatusCode());
    Story.expect("an action fails", true, hasError(unlucky.getData().getActions()));

    Story.expect("updated app", "notes", apps.updateApp("notes").getApp());
    ApiResponse<SettingsUpdateResult> changed =
        apps.updateAppSettingsWithHttpInfo(
            "notes", new SettingsUpdate().settings(Map.of("NOTES_PORT", "8231")));
    Story.expect(
        "status 207 exactly if an action of the settings update failed",
        changed.getStatusCode() == 207,
        hasError(changed.getData().getActions()));

    for (String name : List.of("unlucky", "notes")) {
      String warning = apps.removeApp(new RemoveRequest().name(name)).getComposeWarning();
      Story.expect("warning at the removal of " + name, null, warning);
    }

    expectError(400, () -> apps.installApp(new InstallRequest().name("sketches")));
    expectError(404, () -> apps.getAppSettings("sketches"));
    String outcome = new SelfUpdateApi(client).getSelfUpdateStatus().getOutcome();
    Story.expect("outcome of the latest self-update", null, outcome);
  }

  /** Whether something failed. Kinds of a later version are no errors. */
  private static boolean hasError(List<Action> actions) {
    return actions.stream().anyMatch(action -> action.getKind().equals("error"));
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

  private BoxStory() {}
}
