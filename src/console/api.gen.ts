// Made by `node spec/generate.ts` from spec/console.openapi.yaml. Never edited.
export interface paths {
    "/settings/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the page of the console */
        get: operations["showConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the installed apps with their states */
        get: operations["listRooms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the removed apps that are still kept */
        get: operations["listTrash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/trash/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring a removed app back and start it */
        post: operations["restoreRemovedApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/trash/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete a removed app for good */
        post: operations["deleteRemovedApp"];
        delete?: never;
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
        /** @description How a change has ended. */
        Outcome: {
            /** @description Whether all is well. False if the change was made, but something beside it failed. */
            ok: boolean;
            /** @description What was done, for people. It may have several lines. */
            text: string;
        };
        /** @description An installed app. */
        AppRoom: {
            name: string;
            /** @description The name for people. */
            title: string;
            /** @description The icon as SVG; null if the app has none. */
            icon_svg: string | null;
            /** @description The state, as in the box's list of apps. */
            state: string;
            /** @description The state in one sentence. */
            state_detail: string;
        };
        /** @description A removed app that is still kept. */
        RemovedApp: {
            id: string;
            name: string;
            /** Format: date-time */
            removed_at: string;
            /**
             * Format: date-time
             * @description When it is deleted for good.
             */
            deleted_at: string;
            /** @description Whether an app of this name is installed again, so that it cannot be restored. */
            is_replaced: boolean;
        };
    };
    responses: {
        /** @description The change has ended. */
        Outcome: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Outcome"];
            };
        };
        /** @description An error. */
        OtherError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The name of an app, percent-encoded. */
        AppName: string;
    };
    requestBodies: {
        RemovedApp: {
            content: {
                "application/json": {
                    /** @description The id of the removed app. */
                    id: string;
                };
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page, with its style and script in it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    listRooms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The installed apps, sorted by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        apps: components["schemas"]["AppRoom"][];
                        /** @description Why Docker does not answer, so that no state is known. Empty if it answers. */
                        docker_problem: string;
                    };
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    listTrash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The removed apps, the latest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        apps: components["schemas"]["RemovedApp"][];
                    };
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    restoreRemovedApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RemovedApp"];
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteRemovedApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RemovedApp"];
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
}
