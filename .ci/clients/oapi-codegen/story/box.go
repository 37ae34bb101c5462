package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"

	"example.org/clients/box"
)

func runBoxStory(ctx context.Context) {
	client := succeed(box.NewClientWithResponses(os.Getenv("BOX_URL")))

	list := succeed(client.ListAppsWithResponse(ctx))
	installed := expectBody("list", list.JSON200, list)
	require(len(installed) == 1, "list before the install", installed)
	broken := succeed(installed[0].AsInstalledApp())
	require(!broken.Ok && broken.Name == "sketches", "list: a broken app", broken)

	listBundled := succeed(client.ListBundledAppsWithResponse(ctx))
	bundled := expectBody("list bundled", listBundled.JSON200, listBundled)
	for _, name := range []string{"notes", "unlucky"} {
		hasName := func(app box.AppSummary) bool { return app.Name == name }
		require(slices.ContainsFunc(bundled, hasName), "list bundled: no app "+name, bundled)
	}

	settings := succeed(client.GetAppSettingsWithResponse(ctx, "notes"))
	view := expectBody("settings", settings.JSON200, settings)
	require(len(view.Settings) == 2 && !view.Installed, "settings", view)
	require(*view.Settings[0].Default == "8230", "settings: default", view.Settings[0])
	require(view.Settings[1].Default == nil, "settings: no default", view.Settings[1])

	install := succeed(client.InstallAppWithResponse(ctx, box.InstallRequest{
		Name:     "notes",
		Settings: &box.SettingValues{"NOTES_PORT": "8230", "NOTES_PASSWORD": "kettle-42-lamp"},
	}))
	result := expectBody("install", install.JSON200, install)
	require(len(result.Actions) > 0 && !hasFailure(result.Actions), "install: actions", result)

	list = succeed(client.ListAppsWithResponse(ctx))
	installed = expectBody("list", list.JSON200, list)
	require(len(installed) == 2, "list after the install", installed)
	app := succeed(installed[0].AsInstalledApp())
	require(app.Ok && app.Name == "notes", "list: an installed app", app)
	fmt.Println("notes:", describeState(*app.State))

	install = succeed(client.InstallAppWithResponse(ctx, box.InstallRequest{Name: "unlucky"}))
	partial := expectBody("install of unlucky", install.JSON207, install)
	require(hasFailure(partial.Actions), "install of unlucky: actions", partial)

	updateApp := succeed(client.UpdateAppWithResponse(ctx, "notes"))
	update := expectBody("update", updateApp.JSON200, updateApp)
	require(update.App == "notes", "update", update)

	changeSettings(ctx, client)
	remove(ctx, client, "unlucky")
	remove(ctx, client, "notes")

	install = succeed(client.InstallAppWithResponse(ctx, box.InstallRequest{Name: "sketches"}))
	showError("install of an unknown app", expectBody("install of an unknown app", install.JSON400, install).Error)
	settings = succeed(client.GetAppSettingsWithResponse(ctx, "sketches"))
	showError("settings of an unknown app", expectBody("settings of an unknown app", settings.JSON404, settings).Error)

	selfUpdate := succeed(client.GetSelfUpdateStatusWithResponse(ctx))
	status := expectBody("self-update status", selfUpdate.JSON200, selfUpdate)
	require(status.Stage == nil, "self-update status", status)
}

// changeSettings accepts 200 and 207: the box also brings unlucky in line, which may fail again.
func changeSettings(ctx context.Context, client *box.ClientWithResponses) {
	request := box.SettingsUpdate{Settings: box.SettingValues{"NOTES_PORT": "8231"}}
	response := succeed(client.UpdateAppSettingsWithResponse(ctx, "notes", request))
	switch response.StatusCode() {
	case http.StatusOK:
		actions := expectBody("change settings", response.JSON200, response).Actions
		require(!hasFailure(actions), "change settings", actions)
	case http.StatusMultiStatus:
		actions := expectBody("change settings", response.JSON207, response).Actions
		require(hasFailure(actions), "change settings", actions)
	default:
		log.Fatalf("change settings: got %s: %s", response.Status(), response.Body)
	}
}

func remove(ctx context.Context, client *box.ClientWithResponses, name string) {
	response := succeed(client.RemoveAppWithResponse(ctx, box.RemoveRequest{Name: name}))
	removed := expectBody("remove "+name, response.JSON200, response)
	require(removed.Removed == name && removed.ComposeWarning == nil, "remove "+name, removed)
}

// hasFailure ignores kinds that it does not know, because only `error` means that something failed.
func hasFailure(actions box.Actions) bool {
	return slices.ContainsFunc(actions, func(action box.Action) bool { return action.Kind == "error" })
}

// describeState takes a state of a later version as unknown.
func describeState(state box.AppState) string {
	switch state {
	case "running", "starting":
		return "up"
	case "unhealthy", "restarting", "stopped", "not_started":
		return "down"
	default:
		return fmt.Sprintf("unknown (%s)", state)
	}
}
