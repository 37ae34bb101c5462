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

// runProxyStory checks what spec/CLIENTS.md says about errors that no operation lists.
func runProxyStory(ctx context.Context) {
	err := listBehind(ctx, 429, "application/json", `{"error": "slow down", "added_later": 1}`)
	var other *box.OtherErrorStatusCode
	require(errors.As(err, &other) && other.StatusCode == 429, "429 of a proxy", err)
	showError("429 of a proxy", other.Response.Error)

	err = listBehind(ctx, 502, "text/html", "<h1>Bad Gateway</h1>")
	require(err != nil && strings.Contains(err.Error(), "502"), "502 of a proxy", err)
}

// listBehind lists the apps of a server that always gives the same response.
func listBehind(ctx context.Context, status int, contentType, body string) error {
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
	_, err = client.ListApps(ctx)
	return err
}
