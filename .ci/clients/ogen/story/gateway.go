package main

import (
	"context"
	"log"
	"os"

	"example.org/clients/gateway"
)

// boxToken is a gateway.SecuritySource. ogen calls it before each operation that needs a token.
type boxToken struct{ value string }

func (t *boxToken) BoxToken(context.Context, gateway.OperationName) (gateway.BoxToken, error) {
	return gateway.BoxToken{Token: t.value}, nil
}

func runGatewayStory(ctx context.Context) {
	token := &boxToken{}
	client, err := gateway.NewClient(os.Getenv("GATEWAY_URL"), token)
	if err != nil {
		log.Fatal(err)
	}

	health := expect[*gateway.Confirmation]("health")(client.GetHealth(ctx))
	require(health.Status == "ok", "health", health)

	registered := expect[*gateway.RegisterResult]("register")(client.RegisterBox(ctx, &gateway.RegisterRequest{
		RegistrationToken: os.Getenv("REGISTRATION_TOKEN"),
		BoxName:           "attic",
	}))
	require(registered.Tunnel.Value.Config.Value != "", "register: tunnel", registered)
	token.value = registered.BoxToken.Value

	request := &gateway.PublishRequest{AppName: "notes", Subdomain: "ogen-notes", Port: 8230}
	route := expect[*gateway.PublishedRoute]("publish")(client.PublishRoute(ctx, request))
	conflict := expect[*gateway.PublishRouteConflict]("publish again")(client.PublishRoute(ctx, request))
	showError("publish again", conflict.Error)

	list := expect[*gateway.RouteList]("list routes")(client.ListRoutes(ctx))
	require(len(list.Routes) == 1 && list.Routes[0].ID == route.ID, "list routes", list)
	expect[*gateway.Confirmation]("unpublish")(
		client.UnpublishRoute(ctx, gateway.UnpublishRouteParams{RouteID: route.ID.Value}))

	rotated := expect[*gateway.RotateResult]("rotate")(
		client.RotateBoxToken(ctx, gateway.RotateBoxTokenParams{BoxID: registered.BoxID.Value}))
	expectUnauthorized(ctx, client, "list routes with the old token")
	token.value = rotated.BoxToken
	expect[*gateway.Confirmation]("deregister")(
		client.DeregisterBox(ctx, gateway.DeregisterBoxParams{BoxID: registered.BoxID.Value}))
	expectUnauthorized(ctx, client, "list routes after deregistration")
}

func expectUnauthorized(ctx context.Context, client *gateway.Client, step string) {
	unauthorized := expect[*gateway.UnauthorizedHeaders](step)(client.ListRoutes(ctx))
	showError(step, unauthorized.Response.Error)
}
