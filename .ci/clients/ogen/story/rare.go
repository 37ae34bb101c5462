package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"example.org/clients/box"
)

// runRareStory checks what spec/CLIENTS.md says about errors that no operation lists, and about broken apps.
func runRareStory(ctx context.Context) {
	_, err := listBehind(ctx, 429, "application/json", `{"error": "slow down", "added_later": 1}`)
	var other *box.OtherErrorStatusCode
	require(errors.As(err, &other) && other.StatusCode == 429, "429 of a proxy", err)
	showError("429 of a proxy", other.Response.Error)

	_, err = listBehind(ctx, 502, "text/html", "<h1>Bad Gateway</h1>")
	require(err != nil && strings.Contains(err.Error(), "502"), "502 of a proxy", err)

	list := *expect[*box.InstalledList]("list: a broken app")(listBehind(ctx, 200, "application/json", `[{
		"ok": false, "name": "sketches", "error": "no JSON", "added_later": 1
	}]`))
	broken, ok := list[0].GetBrokenApp()
	require(ok, "list: a broken app", list[0])
	showError("list: a broken app", broken.Error)
}

// listBehind lists the apps of a server that always gives the same response.
func listBehind(ctx context.Context, status int, contentType, body string) (box.ListAppsRes, error) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	defer server.Close()
	client, err := box.NewClient(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	return client.ListApps(ctx)
}
