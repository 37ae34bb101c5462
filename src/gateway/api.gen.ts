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
         * Check whether the server answers
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
         * Register a box
         * @description Makes the box, its token and its tunnel peer. This response is the only one with the configuration of the tunnel. Do not repeat a registration whose response was lost: the box may exist, and a second one would take another place.
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
                /**
                 * @description The id of the box, as its registration returned it. It is compared byte for byte, without decoding.
                 * @example box_fkti3w3vrt65j5arlyjs
                 */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a box is alive
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
                /**
                 * @description The id of the box, as its registration returned it. It is compared byte for byte, without decoding.
                 * @example box_fkti3w3vrt65j5arlyjs
                 */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the token of a box
         * @description The old token stops working at once. Of two rotations at the same time, one gets 401.
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
                /**
                 * @description The id of the box, as its registration returned it. It is compared byte for byte, without decoding.
                 * @example box_fkti3w3vrt65j5arlyjs
                 */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a box
         * @description Removes the box, its routes and its tunnel peer. If the tunnel manager does not answer, the box is removed all the same, and its peer as soon as that is possible.
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
         * List the routes of the calling box
         * @description Oldest first. The list has no route of another box.
         */
        get: operations["listRoutes"];
        put?: never;
        /**
         * Publish a port of an app under a subdomain
         * @description The response comes when the reverse proxy's configuration has the route. The proxy may need a few seconds to load it.
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
                /**
                 * @description The id of the route, as the list of routes has it. It is compared byte for byte, without decoding.
                 * @example rt_7m2wqk4hd6xjv3ntzq5a
                 */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a route
         * @description The response comes when the reverse proxy's configuration no longer has the route.
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
        /** @description Every error of this API. */
        Error: {
            /**
             * @description What was found, what was expected and what to do, for people.
             * @example not found
             */
            error: string;
        };
        /** @description The request was carried out. */
        Confirmation: {
            /**
             * @description Always `ok`.
             * @example ok
             * @enum {string}
             */
            status: "ok";
        };
        /** @description The registration token and the name of the box. */
        RegisterRequest: {
            /**
             * @description The secret that the gateway's operator gave out.
             * @example EXAMPLE-registration-token
             */
            registration_token: string;
            /**
             * @description A name for people, 1 to 128 characters without control characters. Two boxes may have the same.
             * @example attic
             */
            box_name: string;
        };
        /** @description A new box, its token and its end of the tunnel. The requirements leave the fields open: they are boxgate's own. */
        RegisterResult: {
            /**
             * @description The id of the box, for the paths of its operations.
             * @example box_fkti3w3vrt65j5arlyjs
             */
            box_id: string;
            /**
             * @description The bearer token of the box. Only this response and that of a rotation show it.
             * @example bgt_EXAMPLE-box-token
             */
            box_token: string;
            /**
             * @description The account of the box.
             * @example acc_q7hw2zk5nv4dx3mtj6ra
             */
            account_id: string;
            /**
             * @description The name for people, as it was sent.
             * @example attic
             */
            box_name: string;
            tunnel: components["schemas"]["Tunnel"];
        };
        /** @description The box's end of the tunnel, in boxgate's own form. */
        Tunnel: {
            /**
             * @description The IPv4 address of the box in the tunnel, without a mask.
             * @example 10.8.0.2
             */
            address: string;
            /**
             * @description The WireGuard configuration as the tunnel manager made it, private key included. It would send all traffic of the box through the gateway, and may hold commands that `wg-quick` runs as root; read it before you use it.
             * @example [Interface]
             *     PrivateKey = EXAMPLE-private-key
             *     Address = 10.8.0.2/24
             */
            config: string;
        };
        /** @description A new token of a box. */
        RotateResult: {
            /**
             * @description The bearer token of the box from now on.
             * @example bgt_EXAMPLE-new-box-token
             */
            box_token: string;
        };
        /** @description The app, its port on the box, and the subdomain. */
        PublishRequest: {
            /**
             * @description A name for people: 1 to 63 letters, digits, dots, underscores and hyphens that start with a letter or digit. The reverse proxy does not see it.
             * @example notes
             */
            app_name: string;
            /**
             * @description The first label of the public host: 1 to 63 lower-case letters, digits and inner hyphens that do not start with `xn--`.
             * @example notes
             */
            subdomain: string;
            /**
             * @description The port of the box on which the app answers.
             * @example 8230
             */
            port: number;
            /** @description Who may open the host; without it, everybody. The field is boxgate's own: a gateway that does not know it publishes the route for everybody, and its response has no `access`, so compare that with what was sent. If the box already has a route with this subdomain, app and port, a request with `access` replaces the rules of that route, whose id stays. */
            access?: {
                /**
                 * @description The name with which visitors log in, by HTTP's basic authentication: 1 to 63 letters, digits, dots, underscores and hyphens.
                 * @example ada
                 */
                login?: string;
                /**
                 * @description The bcrypt hash of the password, sent together with `login`. The proxy computes it at every request, so its cost is 4, and the password has to be a random one of 128 bits or more.
                 * @example $2b$04$yI23VMPPUtY8aqDoYtBgD.Ulg8pOSOJFkNM0wV0ffiN0nV48AjYFe
                 */
                password_hash?: string;
                /**
                 * @description The addresses and networks from which visitors may come. All others are answered 403.
                 * @example [
                 *       "203.0.113.0/24",
                 *       "2001:db8::/32"
                 *     ]
                 */
                allow?: string[];
                /**
                 * @description Paths without a login, for the app's own clients: one path, or with `/*` at the end all paths below it. `allow` is true for them too.
                 * @example [
                 *       "/api/*"
                 *     ]
                 */
                open_paths?: string[];
            };
        };
        /** @description A route from a public host to a port of a box. The requirements leave the fields open: they are boxgate's own. */
        PublishedRoute: {
            /**
             * @description The id of the route, for the path of its withdrawal.
             * @example rt_7m2wqk4hd6xjv3ntzq5a
             */
            id: string;
            /**
             * @description The id of the box that published it.
             * @example box_fkti3w3vrt65j5arlyjs
             */
            box_id: string;
            /**
             * @description The account of the box.
             * @example acc_q7hw2zk5nv4dx3mtj6ra
             */
            account_id: string;
            /**
             * @description The name of the app, as it was sent.
             * @example notes
             */
            app_name: string;
            /**
             * @description The first label of the public host.
             * @example notes
             */
            subdomain: string;
            /**
             * @description The port of the box on which the app answers.
             * @example 8230
             */
            port: number;
            /**
             * @description The public host, which is the subdomain and the gateway's domain.
             * @example notes.example.org
             */
            host: string;
            /**
             * @description The address at which a browser finds the app.
             * @example https://notes.example.org
             */
            url: string;
            access?: components["schemas"]["RouteAccess"];
        };
        /** @description Who may open the host, as it was sent, without the hash of the password. Absent if everybody may. The field is boxgate's own. */
        RouteAccess: {
            /**
             * @description The name with which visitors log in.
             * @example ada
             */
            login?: string;
            /**
             * @description The addresses and networks from which visitors may come.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allow?: string[];
            /**
             * @description Paths without a login.
             * @example [
             *       "/api/*"
             *     ]
             */
            open_paths?: string[];
        };
        /** @description The routes of a box, oldest first. */
        RouteList: {
            /**
             * @description The routes, oldest first.
             * @example [
             *       {
             *         "id": "rt_7m2wqk4hd6xjv3ntzq5a",
             *         "box_id": "box_fkti3w3vrt65j5arlyjs",
             *         "account_id": "acc_q7hw2zk5nv4dx3mtj6ra",
             *         "app_name": "notes",
             *         "subdomain": "notes",
             *         "port": 8230,
             *         "host": "notes.example.org",
             *         "url": "https://notes.example.org"
             *       }
             *     ]
             */
            routes: components["schemas"]["PublishedRoute"][];
        };
    };
    responses: {
        /** @description It is done. */
        Done: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Confirmation"];
            };
        };
        /** @description The request breaks the standard of HTTP/1.1. */
        Malformed: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no bearer token, or it is not that of a live box. */
        Unauthorized: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. */
                Server: string;
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token is not that of the box in the path. A box that does not exist is answered the same way. */
        OtherBox: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has more than 64 KiB. The connection is closed. */
        BodyTooLarge: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the gateway, whose log has the details under the id in the text; or a store or disk that is full, out of reach or out of order. */
        InternalError: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with a status that this version of the document does not list for the operation. A proxy in front of the gateway may send another body. */
        OtherError: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The id of the box, as its registration returned it. It is compared byte for byte, without decoding.
         * @example box_fkti3w3vrt65j5arlyjs
         */
        BoxId: string;
        /**
         * @description The id of the route, as the list of routes has it. It is compared byte for byte, without decoding.
         * @example rt_7m2wqk4hd6xjv3ntzq5a
         */
        RouteId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Always `Bearer`, the scheme that is asked for.
         * @example Bearer
         */
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
            default: components["responses"]["OtherError"];
        };
    };
    registerBox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The registration token and the name of the box. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description The box is registered, with a peer in the tunnel. */
            201: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterResult"];
                };
            };
            /** @description A field is missing or invalid. */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The registration token is not the configured one, or none is configured. */
            401: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The account has as many boxes as it may have. */
            403: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The gateway runs in another mode than `single`. */
            501: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tunnel manager made no peer, and no box was registered. */
            502: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    heartbeatBox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the box, as its registration returned it. It is compared byte for byte, without decoding.
                 * @example box_fkti3w3vrt65j5arlyjs
                 */
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
            default: components["responses"]["OtherError"];
        };
    };
    rotateBoxToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the box, as its registration returned it. It is compared byte for byte, without decoding.
                 * @example box_fkti3w3vrt65j5arlyjs
                 */
                box_id: components["parameters"]["BoxId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new token. No other response shows it. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateResult"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OtherBox"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    deregisterBox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the box, as its registration returned it. It is compared byte for byte, without decoding.
                 * @example box_fkti3w3vrt65j5arlyjs
                 */
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
            default: components["responses"]["OtherError"];
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
            /** @description The routes of the box. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
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
            default: components["responses"]["OtherError"];
        };
    };
    publishRoute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The app, its port on the box, and the subdomain. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishRequest"];
            };
        };
        responses: {
            /** @description The route is published. */
            201: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedRoute"];
                };
            };
            /** @description A field is missing or invalid, or the gateway keeps the subdomain for itself. */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
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
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A route has this subdomain, of this box or of another one. */
            409: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    unpublishRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the route, as the list of routes has it. It is compared byte for byte, without decoding.
                 * @example rt_7m2wqk4hd6xjv3ntzq5a
                 */
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
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
}
