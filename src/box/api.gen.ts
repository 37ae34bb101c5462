// Made by `node spec/generate.ts` from spec/box.openapi.yaml. Never edited.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The management page
         * @description HTML with its style and script in it. It also answers under a host that is not the box's own.
         */
        get: operations["showPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The management page, at the path that a reverse proxy forwards
         * @description The same page as at `/`; its links and requests do not depend on the path that it was loaded from.
         */
        get: operations["showAppsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apps/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The management page, at the path with a final slash
         * @description The same page as at `/apps`, without a redirect.
         */
        get: operations["showAppsFolderPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every installed app, one entry a directory, sorted by name
         * @description Never waits for a change that is being made. A directory whose manifest cannot be read is an entry too.
         */
        get: operations["listApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bundled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Apps that can be installed, sorted by directory name
         * @description Leaves out apps that are installed with a valid manifest; a broken one can be installed again.
         */
        get: operations["listBundledApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{name}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The app's directory name. What a path cannot hold as it is (blanks, characters beyond ASCII, `%` and the like) is percent-encoded in it. Nothing else is decoded: a name in which a letter, a digit, one of `-._~`, a slash or a control character is encoded stands for itself. Empty or with a slash it is refused; any other impossible name is simply not there. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /**
         * The settings of an installed app, else of the bundled one
         * @description Every setting that the manifest declares, with its value from `.env`; a password is never shown.
         */
        get: operations["getAppSettings"];
        put?: never;
        /**
         * Merge settings into the app's .env, then bring all apps in line
         * @description Keys that are not submitted keep their value. Changes queue: the answer comes when every app was looked at.
         */
        post: operations["updateAppSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{name}/update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The app's directory name. What a path cannot hold as it is (blanks, characters beyond ASCII, `%` and the like) is percent-encoded in it. Nothing else is decoded: a name in which a letter, a digit, one of `-._~`, a slash or a control character is encoded stands for itself. Empty or with a slash it is refused; any other impossible name is simply not there. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring a newer version of the app, or newer images of the installed one
         * @description If the app that can be installed is newer (`available_version`), its files and images come, and `.env` and edited files are kept. Otherwise the images are pulled, and the containers whose image changed are recreated. Data stays. The answer comes when the new containers run; if they do not, files and images of before are back and it is a 502.
         */
        post: operations["updateApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/self/update/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the release feed for a newer version of the box software
         * @description Changes nothing. Without a configured release feed it is a 502 that says so.
         */
        post: operations["checkSelfUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/self/update/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the update of the box software as a detached job
         * @description Answers at once; the job goes on while the box itself restarts. Only one runs at a time.
         */
        post: operations["applySelfUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/self/update/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the latest update of the box software did, or is doing
         * @description Read from a file, so that it can be asked again and again while an update runs.
         */
        get: operations["getSelfUpdateStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install an app, or install it again in place
         * @description Copies the bundled app, or refreshes the installed one and keeps its `.env`; then merges the settings into it.
         */
        post: operations["installApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring an app down and delete it
         * @description Volumes and images stay. It works with a broken manifest and with the container tool stopped, too.
         */
        post: operations["removeApp"];
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
        InstalledList: (components["schemas"]["InstalledApp"] | components["schemas"]["BrokenApp"])[];
        BundledList: components["schemas"]["AppSummary"][];
        AppSummary: {
            name: string;
            display_name: string;
            version: string;
            description: string;
            description_long: string;
            ports: components["schemas"]["Port"][];
            /** @description The icon's file name as the manifest has it; empty where it names none. */
            icon: string;
            icon_svg: string | null;
            has_settings: boolean;
        };
        InstalledApp: {
            ok: true;
            name: string;
            display_name: string;
            version: string;
            description: string;
            description_long: string;
            ports: components["schemas"]["Port"][];
            /** @description The icon's file name as the manifest has it; empty where it names none. */
            icon: string;
            icon_svg: string | null;
            has_settings: boolean;
            available_version: components["schemas"]["AvailableVersion"];
            state: components["schemas"]["AppState"];
            state_detail: components["schemas"]["AppStateDetail"];
            published: components["schemas"]["PublishedPorts"];
            open_ports: components["schemas"]["OpenPorts"];
        };
        BrokenApp: {
            name: string;
            ok: false;
            /** @description Why the manifest could not be read. */
            error: string;
            available_version: components["schemas"]["AvailableVersion"];
            state: components["schemas"]["AppState"];
            state_detail: components["schemas"]["AppStateDetail"];
            published: components["schemas"]["PublishedPorts"];
            open_ports: components["schemas"]["OpenPorts"];
        };
        /** @description The version that an update would bring, because the app of this name that can be installed is newer than the installed one. Null if it is not, or if one of both versions is not known. */
        AvailableVersion: string | null;
        /**
         * @description What the app's containers do now. `not_started`: the app has no containers, because the box has not brought it up yet, or something has to be done first. `unknown`: Docker does not answer.
         * @enum {string}
         */
        AppState: "running" | "starting" | "unhealthy" | "restarting" | "stopped" | "not_started" | "unknown";
        /** @description One sentence for people, such as since when, with which exit code, which service, which placeholder. */
        AppStateDetail: string;
        /** @description The ports of this machine, TCP and UDP, that the app's containers publish now; sorted, each once. */
        PublishedPorts: number[];
        /** @description The TCP ports that the app can be opened at in a browser now. */
        OpenPorts: {
            port: number;
            /** @description The label of the manifest's port that this port stands for; empty where there is none. */
            label: string;
        }[];
        /** @description A port as the manifest declares it. */
        Port: number | components["schemas"]["PortDeclaration"];
        PortDeclaration: {
            port: number;
            protocol?: string;
            label?: string;
        } & {
            [key: string]: unknown;
        };
        SettingEntry: {
            name: string;
            label: string;
            description: string;
            /** @description The page knows `password` and `number`; everything else is text. */
            type: string;
            required: boolean;
            default: string | null;
            /** @description Always empty for a password. */
            value: string;
        };
        SettingsView: {
            name: string;
            display_name: string;
            description: string;
            description_long: string;
            installed: boolean;
            settings: components["schemas"]["SettingEntry"][];
        };
        SettingsUpdate: {
            /** @description Any JSON value; it is written as a string, null as the empty one. */
            settings: {
                [key: string]: unknown;
            };
        };
        InstallRequest: {
            name: string;
            /** @description Any JSON value; it is written as a string, null as the empty one. */
            settings?: {
                [key: string]: unknown;
            } | null;
        };
        RemoveRequest: {
            name: string;
        };
        IgnoredBody: {
            [key: string]: unknown;
        };
        Action: {
            /** @enum {string} */
            kind: "copy" | "refresh" | "keep" | "write_env" | "create" | "start" | "recreate" | "stop" | "remove_orphan" | "noop" | "skip" | "rollback" | "warn" | "error";
            /** @description The app, or `app/service`. */
            target: string;
            /** @description The cause, in one sentence. */
            detail: string;
        };
        SettingsUpdateResult: {
            /** @description The app's name. */
            updated: string;
            actions: components["schemas"]["Action"][];
        };
        InstallResult: {
            /** @description The path of the app's directory. */
            installed: string;
            actions: components["schemas"]["Action"][];
        };
        RemoveResult: {
            removed: string;
            compose_warning: string | null;
        };
        ImageChange: {
            service: string;
            /** @description The image id that the container was running. */
            from: string;
            /** @description The local image id after the pull. */
            to: string;
            tag: string;
        };
        AppUpdateResult: {
            app: string;
            /** @description True exactly when `services` is not empty. */
            updated: boolean;
            services: components["schemas"]["ImageChange"][];
            /** @description The app's version before; only where a newer version came, like the two fields below. */
            from_version?: string;
            /** @description The newer version. */
            to_version?: string;
            /** @description Names under which files that the owner had edited are kept beside those of the newer version. */
            kept?: string[];
        };
        SelfUpdateCheck: {
            current: string;
            latest: string;
            update_available: boolean;
        };
        SelfUpdateDispatch: {
            /** @enum {string} */
            status: "dispatched";
            unit: string;
        };
        /** @description Empty when no update was ever attempted. `done` and `rolled_back` are final. */
        SelfUpdateState: {
            /** @description `checking`, `downloading`, `verifying`, `staging`, `switching`, `restarting`, `health_check`, then `done` or `rolled_back`. Not an enumeration: the file may have been written by a newer version. */
            stage?: string;
            /** @description An id of this update, another for each. */
            attempt?: string;
            /** @description The unit that the service manager runs an update as, as `SelfUpdateDispatch` has it. */
            unit?: string;
            /** @description The version that ran when the update began. */
            from?: string;
            /** @description The version that the release feed announces; absent while it is not known. */
            to?: string;
            /**
             * Format: date-time
             * @description When the update began.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description When this state was written.
             */
            updated_at?: string;
            /**
             * Format: date-time
             * @description When a final stage was reached; absent before.
             */
            finished_at?: string;
            /**
             * Format: double
             * @description The part that is downloaded, while downloading.
             */
            progress?: number;
            /** @description How many bytes of the archive are downloaded; from `downloading` on. */
            bytes?: number;
            /** @description How many bytes the archive has; from `downloading` on. */
            bytes_total?: number;
            /**
             * Format: uri
             * @description What is new in `to`, for people; from the end of `checking` on. Absent if the release names no such page.
             */
            changelog?: string;
            message?: string;
            /** @description Why the update was rolled back. */
            reason?: string;
            /** @description `updated`, `unchanged` or `reverted`. */
            outcome?: string;
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description One self-contained HTML page. */
        Page: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                Server: components["headers"]["Server"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
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
        /** @description The body is refused. */
        InvalidBody: {
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
        /** @description The name in the path is empty or holds a slash. */
        InvalidAppName: {
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
        /** @description There is no such app (`appNotInstalled`, `appNotFound`), a link in its place (`appIsLink`), or, for its settings, a manifest that cannot be read (`unreadableManifest`); the text says which. */
        AppNotFound: {
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
        /** @description The path has no such method; `Allow` names those it has. */
        MethodNotAllowed: {
            headers: {
                Allow: components["headers"]["Allow"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                Server: components["headers"]["Server"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request comes from a page of another site (`crossSite`). */
        CrossSite: {
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
        /** @description The request names a host that is not this box (`foreignHost`); the text names the setting that allows it. Or it names the box's address in the gateway's tunnel (`tunnelHost`). */
        ForeignHost: {
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
        /** @description The body has more than 1 MiB (`bodyTooLarge`); the connection closes. */
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
        /** @description An unknown fault (`internalError`), written whole to standard error under the id that the text names; or a disk that is full, read-only or refuses (`storageFailed`), which the text says. */
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
        /** @description So many changes wait already that one more is not taken. */
        TooManyChanges: {
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
        /** @description The container tool (`containerToolFailed`) or the start of the job (`updateStartFailed`) failed; the text says how. */
        ToolFailed: {
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
        /** @description The app's directory name. What a path cannot hold as it is (blanks, characters beyond ASCII, `%` and the like) is percent-encoded in it. Nothing else is decoded: a name in which a letter, a digit, one of `-._~`, a slash or a control character is encoded stands for itself. Empty or with a slash it is refused; any other impossible name is simply not there. */
        AppName: string;
    };
    requestBodies: {
        /** @description Has to be a JSON object when there is one; what it holds is ignored. */
        Ignored: {
            content: {
                "application/json": components["schemas"]["IgnoredBody"];
            };
        };
    };
    headers: {
        /** @description Always `no-store`. */
        CacheControl: "no-store";
        /** @description Always `nosniff`. */
        ContentTypeOptions: "nosniff";
        /** @description The version that answers, as `boxgate/VERSION`; the updater's health check reads it. */
        Server: string;
        /** @description The methods that the path has. */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            400: components["responses"]["Malformed"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    showAppsPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            400: components["responses"]["Malformed"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    showAppsFolderPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            400: components["responses"]["Malformed"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    listApps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Installed apps; `ok` is false where the manifest cannot be read. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstalledList"];
                };
            };
            400: components["responses"]["Malformed"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    listBundledApps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Bundled apps that are not installed with a valid manifest. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BundledList"];
                };
            };
            400: components["responses"]["Malformed"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    getAppSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The app's directory name. What a path cannot hold as it is (blanks, characters beyond ASCII, `%` and the like) is percent-encoded in it. Nothing else is decoded: a name in which a letter, a digit, one of `-._~`, a slash or a control character is encoded stands for itself. Empty or with a slash it is refused; any other impossible name is simply not there. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings view. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsView"];
                };
            };
            400: components["responses"]["InvalidAppName"];
            404: components["responses"]["AppNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            421: components["responses"]["ForeignHost"];
            500: components["responses"]["InternalError"];
        };
    };
    updateAppSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The app's directory name. What a path cannot hold as it is (blanks, characters beyond ASCII, `%` and the like) is percent-encoded in it. Nothing else is decoded: a name in which a letter, a digit, one of `-._~`, a slash or a control character is encoded stands for itself. Empty or with a slash it is refused; any other impossible name is simply not there. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsUpdate"];
            };
        };
        responses: {
            /** @description Written, and every app is in line. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsUpdateResult"];
                };
            };
            /** @description Written, but at least one app could not be brought in line; its action has the kind `error`. */
            207: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsUpdateResult"];
                };
            };
            /** @description The body, the name or the values are refused (besides the examples: `invalidValues`, `placeholderSubmitted`, `portInvalid`, `portHeld`, `brokenManifest`, `brokenEnv`). */
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
            403: components["responses"]["CrossSite"];
            404: components["responses"]["AppNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            421: components["responses"]["ForeignHost"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TooManyChanges"];
        };
    };
    updateApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The app's directory name. What a path cannot hold as it is (blanks, characters beyond ASCII, `%` and the like) is percent-encoded in it. Nothing else is decoded: a name in which a letter, a digit, one of `-._~`, a slash or a control character is encoded stands for itself. Empty or with a slash it is refused; any other impossible name is simply not there. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Ignored"];
        responses: {
            /** @description What changed; nothing when every image was the newest already. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppUpdateResult"];
                };
            };
            /** @description The body or the name in the path is refused, or the newer version cannot be brought (`upgradeNeedsValues`, `portInvalid`, `portHeld`, `brokenEnv`, `invalidValues`). */
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
            403: components["responses"]["CrossSite"];
            404: components["responses"]["AppNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            421: components["responses"]["ForeignHost"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ToolFailed"];
            503: components["responses"]["TooManyChanges"];
        };
    };
    checkSelfUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Ignored"];
        responses: {
            /** @description The running version and the newest one. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SelfUpdateCheck"];
                };
            };
            400: components["responses"]["InvalidBody"];
            403: components["responses"]["CrossSite"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            421: components["responses"]["ForeignHost"];
            500: components["responses"]["InternalError"];
            /** @description The check of the release feed failed (`updateCheckFailed`; the text says how), or no feed is configured (`noReleaseFeed`). */
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
    applySelfUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Ignored"];
        responses: {
            /** @description The job was started; `getSelfUpdateStatus` tells how it goes. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SelfUpdateDispatch"];
                };
            };
            400: components["responses"]["InvalidBody"];
            403: components["responses"]["CrossSite"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description An update is running. */
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
            421: components["responses"]["ForeignHost"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ToolFailed"];
        };
    };
    getSelfUpdateStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The self-update state; `{}` when no update was ever attempted. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SelfUpdateState"];
                };
            };
            400: components["responses"]["Malformed"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    installApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallRequest"];
            };
        };
        responses: {
            /** @description Installed, and every app is in line. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallResult"];
                };
            };
            /** @description Installed, but at least one app could not be brought in line; its action has the kind `error`. */
            207: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallResult"];
                };
            };
            /** @description The body is refused, or the installer refuses (`unknownApp`, `placeholderLeft`, `projectTaken`, `invalidValues`, `portInvalid`, `portHeld`, `brokenManifest`, `brokenEnv`, `linkInPlace`). */
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
            403: components["responses"]["CrossSite"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            421: components["responses"]["ForeignHost"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TooManyChanges"];
        };
    };
    removeApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemoveRequest"];
            };
        };
        responses: {
            /** @description Removed; `compose_warning` tells what went wrong while its containers were brought down. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    Server: components["headers"]["Server"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveResult"];
                };
            };
            /** @description The body is refused. */
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
            403: components["responses"]["CrossSite"];
            404: components["responses"]["AppNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            421: components["responses"]["ForeignHost"];
            /** @description The directory of the app could not be deleted (`deleteFailed`), the disk refused (`storageFailed`), or an unknown fault (`internalError`). */
            500: {
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
            503: components["responses"]["TooManyChanges"];
        };
    };
}
