package main

import (
	"context"
	"net/http"
	"os"

	"example.org/clients/gateway"
)

func runGatewayStory(ctx context.Context) {
	token := ""
	client := succeed(gateway.NewClientWithResponses(os.Getenv("GATEWAY_URL"),
		gateway.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			// The editor runs for each request, also for those before the registration.
			if token != "" {
				request.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		})))

	getHealth := succeed(client.GetHealthWithResponse(ctx))
	health := expectBody("health", getHealth.JSON200, getHealth)
	require(health.Status == "ok", "health", health)

	register := succeed(client.RegisterBoxWithResponse(ctx, gateway.RegisterRequest{
		RegistrationToken: os.Getenv("REGISTRATION_TOKEN"),
		BoxName:           "attic",
	}))
	registered := expectBody("register", register.JSON201, register)
	require(registered.Tunnel != nil && registered.BoxId != nil && registered.BoxToken != nil, "register", registered)
	token = *registered.BoxToken

	request := gateway.PublishRequest{AppName: "notes", Subdomain: "oapi-notes", Port: 8230}
	publish := succeed(client.PublishRouteWithResponse(ctx, request))
	route := expectBody("publish", publish.JSON201, publish)
	publish = succeed(client.PublishRouteWithResponse(ctx, request))
	showError("publish again", expectBody("publish again", publish.JSON409, publish).Error)

	listRoutes := succeed(client.ListRoutesWithResponse(ctx))
	list := expectBody("list routes", listRoutes.JSON200, listRoutes)
	require(len(list.Routes) == 1 && *list.Routes[0].Id == *route.Id, "list routes", list)
	unpublish := succeed(client.UnpublishRouteWithResponse(ctx, *route.Id))
	expectBody("unpublish", unpublish.JSON200, unpublish)

	rotate := succeed(client.RotateBoxTokenWithResponse(ctx, *registered.BoxId))
	rotated := expectBody("rotate", rotate.JSON200, rotate)
	expectUnauthorized(ctx, client, "list routes with the old token")
	token = rotated.BoxToken
	deregister := succeed(client.DeregisterBoxWithResponse(ctx, *registered.BoxId))
	expectBody("deregister", deregister.JSON200, deregister)
	expectUnauthorized(ctx, client, "list routes after deregistration")
}

func expectUnauthorized(ctx context.Context, client *gateway.ClientWithResponses, step string) {
	response := succeed(client.ListRoutesWithResponse(ctx))
	showError(step, expectBody(step, response.JSON401, response).Error)
}
