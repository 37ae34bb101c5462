package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"

	"example.org/clients/box"
)

// runRareStory checks what spec/CLIENTS.md says about errors that no operation lists, and about broken apps.
func runRareStory(ctx context.Context) {
	response := listBehind(ctx, 429, "application/json", `{"error": "slow down", "added_later": 1}`)
	other := expectBody("429 of a proxy", response.JSONDefault, response)
	require(response.StatusCode() == 429, "429 of a proxy", response.Status())
	showError("429 of a proxy", other.Error)

	response = listBehind(ctx, 502, "text/html", "<h1>Bad Gateway</h1>")
	require(response.StatusCode() == 502 && response.JSONDefault == nil, "502 of a proxy", response)

	response = listBehind(ctx, 200, "application/json", `[{"ok": false, "name": "sketches", "error": "no JSON"}]`)
	entry := expectBody("list", response.JSON200, response)[0]
	app := succeed(entry.AsInstalledApp())
	require(!app.Ok, "list: a broken app", app)
	broken := succeed(entry.AsBrokenApp())
	showError("list: a broken app", broken.Error)
}

// listBehind lists the apps of a server that always gives the same response.
func listBehind(ctx context.Context, status int, contentType, body string) *box.ListAppsResponse {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	defer server.Close()
	client := succeed(box.NewClientWithResponses(server.URL))
	return succeed(client.ListAppsWithResponse(ctx))
}
