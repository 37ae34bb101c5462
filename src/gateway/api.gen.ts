// Made by `node spec/generate.ts` from spec/gateway.openapi.yaml. Never edited.
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the server answers
         * @description Asks neither the store nor the tunnel manager.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/boxes/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a box and make its tunnel peer
         * @description The answer is the only one that holds the tunnel's configuration. The name need not be unique, and goes to no other program.
         */
        post: operations["registerBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/boxes/{box_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One path segment, taken byte for byte, without percent-decoding. */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the box is alive
         * @description Updates the time at which the box was last seen.
         */
        post: operations["heartbeatBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/boxes/{box_id}/rotate-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One path segment, taken byte for byte, without percent-decoding. */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the box token by a new one
         * @description The old token stops working at once. Of two rotations at the same time one gets 401.
         */
        post: operations["rotateBoxToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/boxes/{box_id}/deregister": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One path segment, taken byte for byte, without percent-decoding. */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the box, its routes and its tunnel peer
         * @description A tunnel manager that does not answer is no failure: the box is gone, and its peer is removed as soon as that is possible.
         */
        post: operations["deregisterBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routes of the calling box, oldest first
         * @description Never holds a route of another box.
         */
        get: operations["listRoutes"];
        put?: never;
        /**
         * Publish a port of an app under a subdomain
         * @description When this is answered, the reverse proxy's file has the route.
         */
        post: operations["publishRoute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routes/{route_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One path segment, taken byte for byte, without percent-decoding. */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a route back
         * @description When this is answered, the reverse proxy's file no longer has the route.
         */
        delete: operations["unpublishRoute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: string;
        };
        Confirmation: {
            /** @enum {string} */
            status: "ok";
        };
        RegisterRequest: {
            /** @description The secret that the gateway's operator gave out. */
            registration_token: string;
            /** @description For people; two boxes may have the same. */
            box_name: string;
        };
        RegisterResult: {
            box_id: string;
            /** @description Shown here and after a rotation, and nowhere else. */
            box_token: string;
            account_id: string;
            box_name: string;
            tunnel: components["schemas"]["Tunnel"];
        };
        Tunnel: {
            /** @description The IPv4 address of the box in the tunnel, without a mask. */
            address: string;
            /** @description The WireGuard configuration as the tunnel manager made it, private key included. */
            config: string;
        };
        BoxToken: {
            box_token: string;
        };
        PublishRequest: {
            /** @description For people; it is no part of a rule of the reverse proxy. */
            app_name: string;
            /** @description The first label of the public host. */
            subdomain: string;
            /** @description Where the app listens on the box. */
            port: number;
        };
        Route: {
            id: string;
            box_id: string;
            account_id: string;
            app_name: string;
            subdomain: string;
            port: number;
            /** @description The subdomain and the gateway's domain. */
            host: string;
            /** @description Where a browser finds the app. */
            url: string;
        };
        RouteList: {
            routes: components["schemas"]["Route"][];
        };
    };
    responses: {
        /** @description Done. */
        Done: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                Server: components["headers"]["Server"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Confirmation"];
            };
        };
        /** @description The request is not HTTP/1.1 as its standard says (`malformedRequest`). */
        Malformed: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                Server: components["headers"]["Server"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no bearer token, or it is that of no live box. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["Challenge"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                Server: components["headers"]["Server"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token is that of another box than the path names, or the path names none. */
        OtherBox: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                Server: components["headers"]["Server"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has more than 64 KiB (`bodyTooLarge`); the connection closes. */
        BodyTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                Server: components["headers"]["Server"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An unknown fault (`internalError`), written whole to standard error under the id that the text names; or a store or a disk that is full, out of reach or refuses (`storageFailed`), which the text says. */
        InternalError: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                Server: components["headers"]["Server"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description One path segment, taken byte for byte, without percent-decoding. */
        BoxId: string;
        /** @description One path segment, taken byte for byte, without percent-decoding. */
        RouteId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Always `no-store`. */
        CacheControl: "no-store";
        /** @description Always `nosniff`. */
        ContentTypeOptions: "nosniff";
        /** @description The version that answers, as `boxgate/VERSION`. */
        Server: string;
        /** @description Always `Bearer`, the scheme that is asked for. */
        Challenge: "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["Malformed"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    registerBox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description Registered, with a peer in the tunnel. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterResult"];
                };
            };
            /** @description A field is missing, or is not what it must be (`registrationInvalid`; the text names field and rule), or the request is not HTTP/1.1 (`malformedRequest`). */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The registration token is not the configured one, or none is configured. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The account has as many boxes as it may have. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The gateway runs in a mode other than `single`. */
            501: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tunnel manager made no peer (`tunnelManagerFailed`); the text starts with `tunnel manager: `, and no box was registered. */
            502: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    heartbeatBox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One path segment, taken byte for byte, without percent-decoding. */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OtherBox"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    rotateBoxToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One path segment, taken byte for byte, without percent-decoding. */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new token, which no other answer shows. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoxToken"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OtherBox"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    deregisterBox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One path segment, taken byte for byte, without percent-decoding. */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OtherBox"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    listRoutes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The box's routes. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouteList"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    publishRoute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishRequest"];
            };
        };
        responses: {
            /** @description Published. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Route"];
                };
            };
            /** @description A field is missing, or is not what it must be (`routeInvalid`; the text names field and rule), or the gateway keeps the subdomain for itself, or the request is not HTTP/1.1 (`malformedRequest`). */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The box has as many routes as it may have. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A route has this subdomain, of this box or of another one. */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    unpublishRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One path segment, taken byte for byte, without percent-decoding. */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            /** @description The calling box has no such route. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
}
