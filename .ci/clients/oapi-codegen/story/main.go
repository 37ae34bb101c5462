// Command story takes every step that a client of a box and of a gateway takes. It ends with an error at the first
// response that is not the expected one.
package main

import (
	"context"
	"fmt"
	"log"
	"time"
)

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	runBoxStory(ctx)
	runGatewayStory(ctx)
	runRareStory(ctx)
}

// succeed returns the result of a call. An error of the connection is fatal.
func succeed[T any](response T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return response
}

// expectBody returns the body of a response. The body is nil if the response has another status, which is fatal.
func expectBody[T any](step string, body *T, response interface {
	Status() string
	GetBody() []byte
}) T {
	if body == nil {
		log.Fatalf("%s: got %s: %s", step, response.Status(), response.GetBody())
	}
	return *body
}

func require(condition bool, step string, found any) {
	if !condition {
		log.Fatalf("%s: got %+v", step, found)
	}
}

// showError prints the text of an error as a client shows it to a person.
func showError(step, text string) {
	require(text != "", step+": the error has no text", text)
	fmt.Printf("%s: %s\n", step, text)
}
