package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"

	"example.org/clients/box"
	"github.com/go-faster/jx"
)

func runBoxStory(ctx context.Context) {
	client, err := box.NewClient(os.Getenv("BOX_URL"))
	if err != nil {
		log.Fatal(err)
	}

	installed := *expect[*box.InstalledList]("list")(client.ListApps(ctx))
	require(len(installed) == 1, "list before the install", installed)
	broken, ok := installed[0].GetBrokenApp()
	require(ok && broken.Name == "sketches", "list: a broken app", installed[0])

	bundled := *expect[*box.BundledList]("list bundled")(client.ListBundledApps(ctx))
	for _, name := range []string{"notes", "unlucky"} {
		hasName := func(app box.AppSummary) bool { return app.Name == name }
		require(slices.ContainsFunc(bundled, hasName), "list bundled: no app "+name, bundled)
	}

	view := expect[*box.SettingsView]("settings")(client.GetAppSettings(ctx, box.GetAppSettingsParams{Name: "notes"}))
	require(len(view.Settings) == 2 && !view.Installed, "settings", view)
	require(view.Settings[0].Default.Value == "8230", "settings: default", view.Settings[0])
	require(view.Settings[1].Default.Null, "settings: no default", view.Settings[1])

	result := expect[*box.InstallAppOK]("install")(client.InstallApp(ctx, &box.InstallRequest{
		Name: "notes",
		Settings: box.NewOptSettingValues(box.SettingValues{
			"NOTES_PORT":     jx.Raw(`"8230"`),
			"NOTES_PASSWORD": jx.Raw(`"kettle-42-lamp"`),
		}),
	}))
	require(len(result.Actions) > 0 && !hasFailure(result.Actions), "install: actions", result)

	installed = *expect[*box.InstalledList]("list")(client.ListApps(ctx))
	require(len(installed) == 2, "list after the install", installed)
	app, ok := installed[0].GetInstalledApp()
	require(ok && app.Name == "notes", "list: an installed app", installed[0])
	fmt.Println("notes:", describeState(app.State.Value))

	partial := expect[*box.InstallAppMultiStatus]("install of unlucky")(
		client.InstallApp(ctx, &box.InstallRequest{Name: "unlucky"}))
	require(hasFailure(partial.Actions), "install of unlucky: actions", partial)

	update := expect[*box.AppUpdateResult]("update")(client.UpdateApp(ctx, box.UpdateAppParams{Name: "notes"}))
	require(update.App == "notes", "update", update)

	changeSettings(ctx, client)
	remove(ctx, client, "unlucky")
	remove(ctx, client, "notes")

	refusal := expect[*box.InstallAppBadRequest]("install of an unknown app")(
		client.InstallApp(ctx, &box.InstallRequest{Name: "sketches"}))
	showError("install of an unknown app", refusal.Error)
	missing := expect[*box.GetAppSettingsNotFound]("settings of an unknown app")(
		client.GetAppSettings(ctx, box.GetAppSettingsParams{Name: "sketches"}))
	showError("settings of an unknown app", missing.Error)

	status := expect[*box.SelfUpdateState]("self-update status")(client.GetSelfUpdateStatus(ctx))
	require(!status.Stage.Set, "self-update status", status)
}

// changeSettings accepts 200 and 207: the box also brings unlucky in line, which may fail again.
func changeSettings(ctx context.Context, client *box.Client) {
	response, err := client.UpdateAppSettings(ctx,
		&box.SettingsUpdate{Settings: box.SettingValues{"NOTES_PORT": jx.Raw(`"8231"`)}},
		box.UpdateAppSettingsParams{Name: "notes"})
	if err != nil {
		log.Fatal(err)
	}
	switch r := response.(type) {
	case *box.UpdateAppSettingsOK:
		require(r.Updated == "notes" && !hasFailure(r.Actions), "change settings", r)
	case *box.UpdateAppSettingsMultiStatus:
		require(r.Updated == "notes" && hasFailure(r.Actions), "change settings", r)
	default:
		log.Fatalf("change settings: got %T: %+v", r, r)
	}
}

func remove(ctx context.Context, client *box.Client, name string) {
	removed := expect[*box.RemoveResult]("remove " + name)(client.RemoveApp(ctx, &box.RemoveRequest{Name: name}))
	require(removed.Removed == name && removed.ComposeWarning.Null, "remove "+name, removed)
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
