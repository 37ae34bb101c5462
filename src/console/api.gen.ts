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
    "/settings/api/rooms/{room}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a room, such as `trash`; for one of an app, a slash and the app's name follow. */
                room: components["parameters"]["Room"];
            };
            cookie?: never;
        };
        /**
         * Read what a room shows
         * @description May take most of a minute, such as for a count of the disk space.
         */
        get: operations["readRoom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/follow/{room}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a room, such as `trash`; for one of an app, a slash and the app's name follow. */
                room: components["parameters"]["Room"];
            };
            cookie?: never;
        };
        /** Ask how far the work is that is under way in a room */
        get: operations["followRoom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/acts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Carry out an action of a room */
        post: operations["act"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/logs/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /** Follow the log of an app's containers */
        get: operations["followAppLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backup-files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The beginning of a backup's id, a slash, and the whole path of a file or folder in base64url. */
                file: string;
            };
            cookie?: never;
        };
        /**
         * Download a file of a backup, or a folder as a tar archive
         * @description A failure after the first byte cuts the connection. The journal gets a line.
         */
        get: operations["downloadBackupFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/icons/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /**
         * Read the icon of an app that is no SVG file
         * @description A PNG, JPEG, GIF or WebP file that the manifest of the installed app names, else that of the one that can be
         *     installed. `icon_url` in the lists of the box has its digest in the query, so a browser may keep it for ever.
         */
        get: operations["readIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/root.crt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the certificate that each device has to trust */
        get: operations["readRootCertificate"];
        put?: never;
        post?: never;
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
        /**
         * @description How an action has ended, or how far its work is. `shown` is shown once in a dialog; below the form if it has
         *     actions, because the owner decides on it.
         */
        Outcome: {
            /** @description Whether all is well. False if the change was made, but something beside it failed. */
            ok: boolean;
            /** @description For people. It may have several lines. */
            text: string;
            /** @description Whether the work goes on, whose end `followRoom` tells. */
            has_begun?: boolean;
            shown?: components["schemas"]["Section"];
        };
        /** @description What a room shows. In every text, a time is written as `2026-01-02 03:04 UTC`, and commands are between backquotes. */
        Report: {
            /** @description Instead of the usual title of the room. */
            title?: string;
            /** @description Whether work may be under way, which `followRoom` tells. */
            is_followed?: boolean;
            sections: components["schemas"]["Section"][];
        };
        Section: {
            title?: string;
            rows: components["schemas"]["Row"][];
            actions?: components["schemas"]["ShownAction"][];
            /** @description How many rows are shown at first. */
            most?: number;
            /** @description Whether only the title is shown until the owner opens the section. */
            is_folded?: boolean;
            /** @description The name of the app whose log belongs here. */
            log?: string;
        };
        Row: {
            /**
             * @description An entry of a list, which is the default, or a paragraph.
             * @enum {string}
             */
            is?: "item" | "text" | "note" | "warning";
            text: string;
            /** @description Where the text leads. */
            href?: string;
            /** @description An icon as SVG; null for the icon of a folder. */
            icon?: string | null;
            /** @description The address of an icon that is no SVG file. */
            icon_url?: string;
            /** @description A state of an app, or the verdict of a finding. The text of a paragraph, or the first fact, explains it. */
            state?: string;
            facts?: string[];
            /** @description A text that is shown as it is. */
            value?: string;
            link?: {
                text: string;
                href: string;
            };
            actions?: components["schemas"]["ShownAction"][];
            /** @description A longer text that is shown as it is, once the row is opened. */
            folded?: string;
            /** @description The name under which the folded text can be downloaded. */
            file?: string;
        };
        /** @description An action as a button, or as a form if it has fields without a question. */
        ShownAction: {
            act?: string;
            /** @description Instead of `act`, a room whose sections are shown below the button. */
            read?: string;
            label: string;
            /** @description What it is about, if the label alone does not say so. */
            about?: string;
            /** @enum {string} */
            kind: "primary" | "quiet" | "danger";
            /** @description What is said while it is carried out. */
            doing?: string;
            /** @description Values of fields that the owner is not asked for. */
            given?: {
                [key: string]: string;
            };
            fields?: components["schemas"]["Field"][];
            /** @description What to know before the button is pressed. */
            note?: string;
            question?: components["schemas"]["Question"];
        };
        /** @description Asked before the action is carried out. */
        Question: {
            title: string;
            text: string;
            /** @description The label of the button that carries it out. */
            answer: string;
            /** @description A room whose rows belong to the question. If it has no row, its title is said, and nothing is done. */
            room?: string;
        };
        Field: {
            name: string;
            label: string;
            /**
             * @description `several`: any of the choices, at first all; the value has one a line.
             * @enum {string}
             */
            type: "text" | "lines" | "url" | "password" | "number" | "choice" | "several";
            value?: string;
            /** @description Beside a field of another type than `choice` or `several`, each is a button that fills it in. */
            choices?: components["schemas"]["Choice"][];
            /** @description The title of the part below which the field is folded. */
            folded?: string;
        };
        Choice: {
            value: string;
            text: string;
        };
        LogPart: {
            lines: string[];
            /** @description What is left out or cannot be read, and why. */
            notes: string[];
        };
    };
    responses: {
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
        /** @description The name of a room, such as `trash`; for one of an app, a slash and the app's name follow. */
        Room: string;
    };
    requestBodies: never;
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
    readRoom: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a room, such as `trash`; for one of an app, a slash and the app's name follow. */
                room: components["parameters"]["Room"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The room. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    followRoom: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a room, such as `trash`; for one of an app, a slash and the app's name follow. */
                room: components["parameters"]["Room"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the work is that is under way, or how the latest has ended; an empty text if there was none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    act: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The room and the name of the action, such as `trash/restore`. */
                    act: string;
                    /** @description The fields of the action, with their values. */
                    fields: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description The action has ended, or has begun if it takes long. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    followAppLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last 1000 lines, and the later ones as they come. The data of each event is a `LogPart`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    downloadBackupFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The beginning of a backup's id, a slash, and the whole path of a file or folder in base64url. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes, which no browser shows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    readIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. Its bytes decide on the type. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    readRootCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certificate of the proxy's own authority (PEM). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-x509-ca-cert": string;
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
}
