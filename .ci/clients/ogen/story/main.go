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

// expect takes the results of a call, and returns the response as a T. Another response is fatal.
func expect[T any](step string) func(response any, err error) T {
	return func(response any, err error) T {
		expected, ok := response.(T)
		if err != nil || !ok {
			log.Fatalf("%s: expected %T, got %T: %+v, error: %v", step, expected, response, response, err)
		}
		return expected
	}
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
