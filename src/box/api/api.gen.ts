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
         * Show the management page
         * @description HTML with its style and script in it. It is also served under a host name that is not the box's own.
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
         * Show the management page at the path that a reverse proxy forwards
         * @description The same page as at `/`. Its links and requests do not depend on the path that it was loaded from.
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
         * Show the management page at the path with a final slash
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
         * List the installed apps
         * @description One entry for each directory of the installed-apps directory, sorted by name. A directory whose manifest cannot be read is an entry too, with `ok: false`. The list never waits for a change that is being made.
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
         * List the apps that can be installed
         * @description Sorted by directory name. An app that is installed with a valid manifest is left out; one with a broken manifest is not, because it can be installed again.
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
                /**
                 * @description The name of the app, which is the name of its directory: 1 to 255 bytes of UTF-8 without a slash, NUL, another control character or a leading dot. Percent-encode what a path cannot hold as it is (spaces, `%`, characters beyond ASCII), and nothing else: a name with an encoded letter, digit, `-`, `.`, `_`, `~`, slash or control character is not decoded. A name that is empty or has a slash is refused; any other impossible name does not exist.
                 * @example notes
                 */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /**
         * Show the settings of an app
         * @description Those of the installed app of this name, else of the one that can be installed: every setting that the manifest declares. The value is that of `.env`, else the default, else empty. An app that is not installed begins with its `.env.example`, if it has one. The value of a password is never shown.
         */
        get: operations["getAppSettings"];
        put?: never;
        /**
         * Change settings of an installed app
         * @description Merges the submitted settings into the app's `.env`; all other keys keep their values. Then all installed apps are brought in line. Leave out a password that does not change.
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
                /**
                 * @description The name of the app, which is the name of its directory: 1 to 255 bytes of UTF-8 without a slash, NUL, another control character or a leading dot. Percent-encode what a path cannot hold as it is (spaces, `%`, characters beyond ASCII), and nothing else: a name with an encoded letter, digit, `-`, `.`, `_`, `~`, slash or control character is not decoded. A name that is empty or has a slash is refused; any other impossible name does not exist.
                 * @example notes
                 */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update an installed app
         * @description Brings the newer version of the app that can be installed (`available_version`), and keeps `.env` and files that the owner edited. Without a newer version, pulls the images of the installed one. Containers whose image changed are recreated. The response comes when they run. If they do not, files and images of before are put back, and the response is a 502. Send no body; one that is sent has to be a JSON object and is ignored. boxgate's own exception: `{"without_backup": true}` updates an app without a backup, after a `backupFailed`.
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
         * Check for a newer version of the box software
         * @description Asks the release feed, and changes nothing. Send no body; one that is sent has to be a JSON object and is ignored.
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
         * Start an update of the box software
         * @description Starts a detached job and answers at once. The job goes on while the box itself restarts; `getSelfUpdateStatus` shows how it goes. Only one runs at a time. Send no body; one that is sent has to be a JSON object and is ignored.
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
         * Show the latest update of the box software
         * @description What the latest update did or is doing. The state is read from a file, so that it can be asked for again and again while an update runs. The reverse proxy, not the box, serves the same object as the static file `/update-state.json`, also while the box restarts.
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
         * @description Copies the bundled app, or refreshes the installed one and keeps its `.env`. Then merges the settings into `.env`, and brings all installed apps in line. If a secret still has a placeholder, the install is refused, but the app's directory stays: edit `.env` there, or send the install again with settings.
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
         * Remove an app
         * @description Brings the app's containers down and deletes its directory from the installed apps. It also works with a broken manifest, and with Docker stopped. Volumes and images stay. boxgate keeps the directory in a trash for some days.
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
        /** @description Every error of this API. */
        Error: {
            /**
             * @description What was found, what was expected and what to do, for people.
             * @example not found
             */
            error: string;
        };
        /** @description One entry for each directory of the installed-apps directory, sorted by name. */
        InstalledList: components["schemas"]["InstalledEntry"][];
        /** @description An installed app, or a broken one. `ok` tells which one it is, and so do the fields that only one of them has: no later version gives a member such a field of the other. */
        InstalledEntry: components["schemas"]["InstalledApp"] | components["schemas"]["BrokenApp"];
        /** @description Apps that can be installed, sorted by directory name. */
        BundledList: components["schemas"]["AppSummary"][];
        /** @description An app that can be installed. */
        AppSummary: {
            /**
             * @description The name of the app, which is the name of its directory.
             * @example notes
             */
            name: string;
            /**
             * @description The name for people.
             * @example Notes
             */
            display_name: string;
            /**
             * @description The version of the app as its manifest has it. It may be any text.
             * @example 1.4.0
             */
            version: string;
            /**
             * @description One line about the app. It may be empty.
             * @example Quick notes on your own box
             */
            description: string;
            /**
             * @description More about the app. It may be empty.
             * @example Takes down notes in Markdown, with tags and search.
             */
            description_long: string;
            /**
             * @description The ports that the manifest declares.
             * @example [
             *       {
             *         "port": 8230,
             *         "protocol": "http",
             *         "label": "Notes"
             *       }
             *     ]
             */
            ports: components["schemas"]["Port"][];
            /**
             * @description The file name of the icon as the manifest has it; empty if it names none.
             * @example icon.svg
             */
            icon: string;
            /**
             * @description The icon as SVG markup, if all four rules hold, else null. The icon is named and a regular file of the app. It has at most 16384 bytes, in UTF-8. Trimmed, and without an XML declaration, which has to be closed, it starts with `<svg`. It has, in upper or lower case, no start of a `script` tag, no `javascript:` and no word that is `on` and letters before a `=`. It is not safe to insert into a page as it is.
             * @example <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>
             */
            icon_svg: string | null;
            icon_url?: components["schemas"]["IconUrl"];
            /**
             * @description Whether the manifest declares at least one setting.
             * @example true
             */
            has_settings: boolean;
            category?: components["schemas"]["Category"];
            store?: components["schemas"]["Store"];
            operation?: components["schemas"]["AppOperation"];
        };
        /** @description An installed app whose manifest is valid. */
        InstalledApp: {
            /**
             * @description Always true.
             * @example true
             * @enum {boolean}
             */
            ok: true;
            /**
             * @description The name of the app, which is the name of its directory.
             * @example notes
             */
            name: string;
            /**
             * @description The name for people.
             * @example Notes
             */
            display_name: string;
            /**
             * @description The version of the app as its manifest has it. It may be any text.
             * @example 1.4.0
             */
            version: string;
            /**
             * @description One line about the app. It may be empty.
             * @example Quick notes on your own box
             */
            description: string;
            /**
             * @description More about the app. It may be empty.
             * @example Takes down notes in Markdown, with tags and search.
             */
            description_long: string;
            /**
             * @description The ports that the manifest declares.
             * @example [
             *       {
             *         "port": 8230,
             *         "protocol": "http",
             *         "label": "Notes"
             *       }
             *     ]
             */
            ports: components["schemas"]["Port"][];
            /**
             * @description The file name of the icon as the manifest has it; empty if it names none.
             * @example icon.svg
             */
            icon: string;
            /**
             * @description The icon as SVG markup, if all four rules hold, else null. The icon is named and a regular file of the app. It has at most 16384 bytes, in UTF-8. Trimmed, and without an XML declaration, which has to be closed, it starts with `<svg`. It has, in upper or lower case, no start of a `script` tag, no `javascript:` and no word that is `on` and letters before a `=`. It is not safe to insert into a page as it is.
             * @example <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>
             */
            icon_svg: string | null;
            icon_url?: components["schemas"]["IconUrl"];
            /**
             * @description Whether the manifest declares at least one setting.
             * @example true
             */
            has_settings: boolean;
            available_version: components["schemas"]["AvailableVersion"];
            state: components["schemas"]["AppState"];
            state_detail: components["schemas"]["AppStateDetail"];
            stopped_at?: components["schemas"]["StoppedAt"];
            published: components["schemas"]["PublishedPorts"];
            open_ports: components["schemas"]["OpenPorts"];
            category?: components["schemas"]["Category"];
            store?: components["schemas"]["Store"];
            operation?: components["schemas"]["AppOperation"];
            public_urls?: components["schemas"]["PublicUrls"];
            open_urls?: components["schemas"]["OpenUrls"];
            backup_problem?: components["schemas"]["BackupProblem"];
        };
        /** @description A directory of the installed-apps directory whose manifest cannot be read. */
        BrokenApp: {
            /**
             * @description The name of the directory.
             * @example sketches
             */
            name: string;
            /**
             * @description Always false.
             * @example false
             * @enum {boolean}
             */
            ok: false;
            /**
             * @description Why the manifest cannot be read.
             * @example manifest.json: expected JSON, found text that is not JSON
             */
            error: string;
            available_version: components["schemas"]["AvailableVersion"];
            state: components["schemas"]["AppState"];
            state_detail: components["schemas"]["AppStateDetail"];
            stopped_at?: components["schemas"]["StoppedAt"];
            published: components["schemas"]["PublishedPorts"];
            open_ports: components["schemas"]["OpenPorts"];
            operation?: components["schemas"]["AppOperation"];
            public_urls?: components["schemas"]["PublicUrls"];
            open_urls?: components["schemas"]["OpenUrls"];
            backup_problem?: components["schemas"]["BackupProblem"];
        };
        /**
         * @description boxgate's own. What kind of app it is, such as `Media`, in the words of its manifest. Absent if the manifest does not say.
         * @example Notes
         */
        Category: string;
        /**
         * @description boxgate's own. The name of the store that the app comes from. Absent for an app of no store.
         * @example runtipi
         */
        Store: string;
        /**
         * @description boxgate's own. The path of an icon that is a PNG, JPEG, GIF or WebP file, on the origin that also serves `/settings/`. The box's console answers there, so it may not load. It changes with the file. Absent for any other icon.
         * @example /settings/icons/notes?v=4a0ff3f1c2d39b57
         */
        IconUrl: string;
        /**
         * @description boxgate's own. The version that an update would bring, because the app of this name that can be installed is newer than the installed one. Null if it is not newer, or if one of the two versions is not known.
         * @example 1.5.0
         */
        AvailableVersion: string | null;
        /**
         * @description boxgate's own. What the app's containers do now: `running`, `starting`, `unhealthy`, `restarting`, `stopped`, `not_started` (it has no containers, because the box has not brought it up yet or something has to be done first) or `unknown` (Docker does not answer). Extensible: treat a value that you do not know as `unknown`.
         * @example running
         * @enum {string}
         */
        AppState: "running" | "starting" | "unhealthy" | "restarting" | "stopped" | "not_started" | "unknown";
        /**
         * @description boxgate's own. The state in one sentence for people, such as since when, with which exit status, which service.
         * @example Running since 2026-11-25 07:44 UTC.
         */
        AppStateDetail: string;
        /**
         * Format: date-time
         * @description boxgate's own. When its owner stopped the app, which then stays stopped until it is started or installed again. Absent unless it is stopped on purpose.
         * @example 2026-11-28T14:00:00Z
         */
        StoppedAt: string;
        /**
         * @description boxgate's own. The addresses under which the app is reachable from the internet through a gateway, because its owner published it. Absent if there are none.
         * @example [
         *       "https://notes.example.org"
         *     ]
         */
        PublicUrls: string[];
        /**
         * @description boxgate's own. The addresses with HTTPS under which the app can be opened in the home network now. Absent if there are none.
         * @example [
         *       "https://memos.box.example.org/"
         *     ]
         */
        OpenUrls: string[];
        /**
         * @description boxgate's own. Why the app has no fresh backup that can be trusted, in one sentence for people. Absent if all is well, and while no schedule of backups is switched on.
         * @example no backup: there is no room left (no space left on device)
         */
        BackupProblem: string;
        /** @description boxgate's own. A change of the app that waits or is carried out now, whoever asked for it; absent if there is none. If there are several, the first. It tells how far the change is, and never how it ended. */
        AppOperation: {
            /**
             * @description What is asked for: `install`, `reinstall` (an install of an installed app), `start` (a settings update without settings), `stop`, `restart`, `settings`, `update` or `remove`. Extensible.
             * @example install
             * @enum {string}
             */
            kind: "install" | "reinstall" | "start" | "stop" | "restart" | "settings" | "update" | "remove";
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-11-25T07:44:50Z
             */
            since: string;
            /**
             * @description What is done now: `waiting` (for earlier changes), `preparing`, `pulling` or `building` images, `starting` or `stopping` containers, `verifying` (that they stay up), `backing_up` (the app's data is copied), `rolling_back` or `finishing` (the other apps are brought in line). Extensible.
             * @example pulling
             * @enum {string}
             */
            step: "waiting" | "preparing" | "pulling" | "building" | "starting" | "verifying" | "stopping" | "backing_up" | "rolling_back" | "finishing";
            /**
             * Format: int64
             * @description How much is downloaded. Like the next three fields, only while images are pulled, and only if Docker's Compose plugin tells it.
             * @example 12000000
             */
            bytes?: number;
            /**
             * Format: int64
             * @description How much there is to download in all layers whose size is known. It grows when the download of another layer begins.
             * @example 80000000
             */
            bytes_total?: number;
            /**
             * @description How many layers of images are in place.
             * @example 2
             */
            layers?: number;
            /**
             * @description How many layers the images have.
             * @example 7
             */
            layers_total?: number;
        };
        /** @description boxgate's own. The ports of this machine, TCP and UDP, that the app's containers publish now; sorted, each once. */
        PublishedPorts: number[];
        /** @description boxgate's own. The TCP ports at which the app can be opened in a browser now. */
        OpenPorts: components["schemas"]["OpenPort"][];
        /** @description A TCP port at which the app can be opened in a browser. */
        OpenPort: {
            /**
             * @description A port of this machine.
             * @example 8230
             */
            port: number;
            /**
             * @description The label of the manifest's port that this port belongs to; empty if there is none.
             * @example Notes
             */
            label: string;
            /**
             * @description boxgate's own. True if the port is published on loopback addresses only, so that only programs on the box reach it; else absent.
             * @example true
             */
            loopback?: boolean;
        };
        /** @description A port as the manifest declares it, as a number or as an object. The form is boxgate's own. */
        Port: number | components["schemas"]["PortDeclaration"];
        /** @description A port with more about it. The manifest may have other fields here; they are passed on. */
        PortDeclaration: {
            /**
             * @description The port on which the app answers.
             * @example 8230
             */
            port: number;
            /**
             * @description The protocol, such as `http`, `tcp` or `udp`.
             * @example http
             */
            protocol?: string;
            /**
             * @description What answers there, for people.
             * @example Notes
             */
            label?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A setting of an app, and its value. */
        SettingEntry: {
            /**
             * @description The key in the app's `.env`.
             * @example NOTES_PORT
             */
            name: string;
            /**
             * @description The label in a form.
             * @example Port
             */
            label: string;
            /**
             * @description Help for whoever fills in the form. It may be empty.
             * @example The port of this box that the app answers on.
             */
            description: string;
            /**
             * @description `password` and `number` have a meaning; any other value is text. boxgate's own form has a switch for a `boolean` with two `options`, and a list for a `select` with `options`.
             * @example number
             */
            type: string;
            /**
             * @description Whether a form should insist on a value at an install. The API itself does not.
             * @example false
             */
            required: boolean;
            /**
             * @description The manifest's default value; null if it has none.
             * @example 8230
             */
            default: string | null;
            /**
             * @description The current value, else the default, else empty. Always empty for a password.
             * @example 8230
             */
            value: string;
            /**
             * @description boxgate's own. A free port of the machine for an app that is not installed, because a program or an installed app has the one of `value`. Absent for a free port and for any other setting.
             * @example 8231
             */
            free_port?: string;
            /**
             * @description boxgate's own. Values that a form may suggest; the service takes any other value too. Those of a `select` are all that make sense, and those of a `boolean` are the texts for on and off. Absent if there are none.
             * @example [
             *       "true",
             *       "false"
             *     ]
             */
            options?: string[];
            /**
             * @description boxgate's own. An install makes this secret if it is left blank; the secret is in the app's `.env` only. Absent if the secret is not made.
             * @example {
             *       "length": 64,
             *       "encoding": "hex"
             *     }
             */
            generate?: {
                /**
                 * @description The number of characters for `hex`, and of bytes before encoding for `base64`.
                 * @example 64
                 */
                length: number;
                /**
                 * @description How the random bytes become text.
                 * @example hex
                 * @enum {string}
                 */
                encoding: "hex" | "base64";
            };
            /**
             * @description boxgate's own. True if a form may fold the setting; else absent.
             * @example true
             */
            advanced?: boolean;
        };
        /** @description The settings of an app. */
        SettingsView: {
            /**
             * @description The name of the app, which is the name of its directory.
             * @example notes
             */
            name: string;
            /**
             * @description The name for people.
             * @example Notes
             */
            display_name: string;
            /**
             * @description One line about the app. It may be empty.
             * @example Quick notes on your own box
             */
            description: string;
            /**
             * @description More about the app. It may be empty.
             * @example Takes down notes in Markdown, with tags and search.
             */
            description_long: string;
            /**
             * @description Whether the app is installed. If not, the values are those with which an install begins.
             * @example false
             */
            installed: boolean;
            /**
             * @description The settings in the order of the manifest.
             * @example [
             *       {
             *         "name": "NOTES_PORT",
             *         "label": "Port",
             *         "description": "The port of this box that the app answers on.",
             *         "type": "number",
             *         "required": false,
             *         "default": "8230",
             *         "value": "8230"
             *       }
             *     ]
             */
            settings: components["schemas"]["SettingEntry"][];
        };
        /**
         * @description Values of settings by their keys, which become lines of the app's `.env`. A key is a letter or `_`, followed by letters, digits and `_`. A value is best a string. Of other JSON values, null is the empty string, and numbers, booleans, lists and objects are written as their JSON text.
         * @example {
         *       "NOTES_PORT": "8230"
         *     }
         */
        SettingValues: {
            [key: string]: unknown;
        };
        /** @description The settings to change. */
        SettingsUpdate: {
            /**
             * @description Values of the settings that change.
             * @example {
             *       "NOTES_PORT": "8231"
             *     }
             */
            settings: components["schemas"]["SettingValues"];
        };
        /** @description The app to install, and its settings. */
        InstallRequest: {
            /**
             * @description The name of an app that can be installed, or of an installed one.
             * @example notes
             */
            name: string;
            /**
             * @description Values of settings. Null is the same as no settings.
             * @example {
             *       "NOTES_PORT": "8230"
             *     }
             */
            settings?: components["schemas"]["SettingValues"];
        };
        /** @description The app to remove. */
        RemoveRequest: {
            /**
             * @description The name of an installed app.
             * @example notes
             */
            name: string;
        };
        /** @description Something that a change did, or why it did nothing. */
        Action: {
            /**
             * @description With files: `copy`, `refresh`, `keep`, `write_env`. With containers: `create`, `start`, `recreate`, `stop`, `remove_orphan`. Besides: `noop`, `skip`, `rollback`, `warn`, `error`. Extensible: only `error` means that something failed.
             * @example create
             * @enum {string}
             */
            kind: "copy" | "refresh" | "keep" | "write_env" | "create" | "start" | "recreate" | "stop" | "remove_orphan" | "noop" | "skip" | "rollback" | "warn" | "error";
            /**
             * @description The app, or `app/service`.
             * @example notes/web
             */
            target: string;
            /**
             * @description The cause, in one sentence for people.
             * @example created: not brought up before
             */
            detail: string;
        };
        /**
         * @description What was done, first for the app itself, then for the others by name.
         * @example [
         *       {
         *         "kind": "create",
         *         "target": "notes/web",
         *         "detail": "created: not brought up before"
         *       }
         *     ]
         */
        Actions: components["schemas"]["Action"][];
        /** @description The result of a settings update. */
        SettingsUpdateResult: {
            /**
             * @description The name of the app.
             * @example notes
             */
            updated: string;
            actions: components["schemas"]["Actions"];
        };
        /** @description The result of an install. */
        InstallResult: {
            /**
             * @description The path of the app's directory on the box.
             * @example /var/lib/boxgate/apps/notes
             */
            installed: string;
            actions: components["schemas"]["Actions"];
        };
        /** @description The result of a removal. */
        RemoveResult: {
            /**
             * @description The name of the app.
             * @example notes
             */
            removed: string;
            /**
             * @description What went wrong while the containers were brought down; null if nothing did. The app is removed in either case.
             * @example null
             */
            compose_warning: string | null;
        };
        /** @description A service whose container was recreated with a newer image. */
        ImageChange: {
            /**
             * @description The name of the service in the app's Compose project.
             * @example web
             */
            service: string;
            /**
             * @description The id of the image that the container was running.
             * @example sha256:2f4a3d1e5b6c7a8990817263544536271809fae1d2c3b4a5968778695a4b3c2d
             */
            from: string;
            /**
             * @description The id of the local image after the pull.
             * @example sha256:9b1c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c
             */
            to: string;
            /**
             * @description The tag of the image.
             * @example 1.4
             */
            tag: string;
        };
        /** @description The result of an update of an app. */
        AppUpdateResult: {
            /**
             * @description The name of the app.
             * @example notes
             */
            app: string;
            /**
             * @description True exactly if `services` is not empty.
             * @example true
             */
            updated: boolean;
            /**
             * @description The services with a newer image, sorted by name.
             * @example [
             *       {
             *         "service": "web",
             *         "from": "sha256:2f4a3d1e5b6c7a8990817263544536271809fae1d2c3b4a5968778695a4b3c2d",
             *         "to": "sha256:9b1c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c",
             *         "tag": "1.4"
             *       }
             *     ]
             */
            services: components["schemas"]["ImageChange"][];
            /**
             * @description boxgate's own. The version of the app before. Like the next two fields, only after the update brought a newer version.
             * @example 1.4.0
             */
            from_version?: string;
            /**
             * @description boxgate's own. The newer version of the app.
             * @example 1.5.0
             */
            to_version?: string;
            /**
             * @description boxgate's own. Files that the owner had edited, by the names under which they are kept beside the newer ones.
             * @example [
             *       "compose.yaml.kept"
             *     ]
             */
            kept?: string[];
            /**
             * @description boxgate's own. One sentence for each service whose health check has not passed yet, if there is one. Its start period still runs, so it does not count as failed.
             * @example [
             *       "web: still starting, allowed until 2026-11-26 12:30 UTC"
             *     ]
             */
            starting?: string[];
            stopped_at?: components["schemas"]["StoppedAt"];
            /**
             * Format: double
             * @description boxgate's own. How long the app was away, from its stop for the backup until its containers were started, if there was a backup before the update.
             * @example 4.2
             */
            away_seconds?: number;
        };
        /** @description The running version of the box software and the newest one. */
        SelfUpdateCheck: {
            /**
             * @description The version that runs.
             * @example 0.1.0
             */
            current: string;
            /**
             * @description The newest version that the release feed announces.
             * @example 0.2.0
             */
            latest: string;
            /**
             * @description Whether the newest version is newer than the one that runs.
             * @example true
             */
            update_available: boolean;
        };
        /** @description An update that was started. */
        SelfUpdateDispatch: {
            /**
             * @description Always `dispatched`.
             * @example dispatched
             * @enum {string}
             */
            status: "dispatched";
            /**
             * @description The unit of the service manager that runs the update.
             * @example boxgate-update.service
             */
            unit: string;
        };
        /** @description The state of the latest update of the box software. It is empty if no update was ever attempted. The file may have been written by a newer version, so other fields and values are possible. */
        SelfUpdateState: {
            /**
             * @description `checking`, `downloading`, `verifying`, `staging`, `switching`, `restarting`, `health_check`, then `done` or `rolled_back`, which are final.
             * @example done
             */
            stage?: string;
            /**
             * @description boxgate's own. An id of this update, another one for each.
             * @example 5e0f2c
             */
            attempt?: string;
            /**
             * @description boxgate's own. The unit of the service manager that runs the update.
             * @example boxgate-update.service
             */
            unit?: string;
            /**
             * @description boxgate's own. The version that ran when the update began.
             * @example 0.1.0
             */
            from?: string;
            /**
             * @description boxgate's own. The version that the release feed announces; absent while it is not known.
             * @example 0.2.0
             */
            to?: string;
            /**
             * Format: date-time
             * @description boxgate's own. When the update began.
             * @example 2026-11-25T07:44:50Z
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description boxgate's own. When this state was written.
             * @example 2026-11-25T07:45:02Z
             */
            updated_at?: string;
            /**
             * Format: date-time
             * @description boxgate's own. When a final stage was reached; absent before.
             * @example 2026-11-25T07:45:02Z
             */
            finished_at?: string;
            /**
             * Format: double
             * @description boxgate's own. The part that is downloaded, while downloading.
             * @example 0.5
             */
            progress?: number;
            /**
             * Format: int64
             * @description boxgate's own. How many bytes of the archive are downloaded; from `downloading` on.
             * @example 21000000
             */
            bytes?: number;
            /**
             * Format: int64
             * @description boxgate's own. How many bytes the archive has; from `downloading` on.
             * @example 42000000
             */
            bytes_total?: number;
            /**
             * @description boxgate's own. The address of a page for people that says what is new in the version `to`; from the end of `checking` on. Absent if the release names no such page.
             * @example https://releases.example.org/boxgate/0.2.0
             */
            changelog?: string;
            /**
             * @description boxgate's own. What happens now, in one sentence for people.
             * @example Version 0.2.0 runs.
             */
            message?: string;
            /**
             * @description Why the update was rolled back.
             * @example the new version did not answer within 60 s
             */
            reason?: string;
            /**
             * @description boxgate's own. `updated`, `unchanged` or `reverted`, once a final stage is reached.
             * @example updated
             */
            outcome?: string;
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description One self-contained HTML page, with `Content-Type` `text/html; charset=utf-8`. */
        Page: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description The request breaks the standard of HTTP/1.1. */
        Malformed: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is refused. */
        InvalidBody: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The name in the path is empty or has a slash. */
        InvalidAppName: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such app, or a link or an unreadable manifest in its place. */
        AppNotFound: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path has no such method. The header `Allow` names those that it has. */
        MethodNotAllowed: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request comes from a page of another site. */
        CrossSite: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request names a host that is not this box, or the box's address in the gateway's tunnel. */
        ForeignHost: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has more than 1 MiB. The connection is closed. */
        BodyTooLarge: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the box, whose log has the details under the id in the text; or a disk that is full, read-only or out of order. */
        InternalError: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many changes are waiting. Nothing was changed; try again later. */
        TooManyChanges: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                Server: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with a status that this version of the document does not list for the operation. A proxy in front of the box may send another body. */
        OtherError: {
            headers: {
                /** @description Always `no-store`. */
                "Cache-Control": "no-store";
                /** @description Always `nosniff`. */
                "X-Content-Type-Options": "nosniff";
                /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
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
         * @description The name of the app, which is the name of its directory: 1 to 255 bytes of UTF-8 without a slash, NUL, another control character or a leading dot. Percent-encode what a path cannot hold as it is (spaces, `%`, characters beyond ASCII), and nothing else: a name with an encoded letter, digit, `-`, `.`, `_`, `~`, slash or control character is not decoded. A name that is empty or has a slash is refused; any other impossible name does not exist.
         * @example notes
         */
        AppName: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The methods of the path, separated by commas. It is empty for a path that does not exist.
         * @example GET, HEAD, POST
         */
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
            default: components["responses"]["OtherError"];
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
            default: components["responses"]["OtherError"];
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
            default: components["responses"]["OtherError"];
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
            /** @description The installed apps. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
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
            default: components["responses"]["OtherError"];
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
            /** @description The apps that can be installed. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
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
            default: components["responses"]["OtherError"];
        };
    };
    getAppSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the app, which is the name of its directory: 1 to 255 bytes of UTF-8 without a slash, NUL, another control character or a leading dot. Percent-encode what a path cannot hold as it is (spaces, `%`, characters beyond ASCII), and nothing else: a name with an encoded letter, digit, `-`, `.`, `_`, `~`, slash or control character is not decoded. A name that is empty or has a slash is refused; any other impossible name does not exist.
                 * @example notes
                 */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings and their values. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
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
            default: components["responses"]["OtherError"];
        };
    };
    updateAppSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the app, which is the name of its directory: 1 to 255 bytes of UTF-8 without a slash, NUL, another control character or a leading dot. Percent-encode what a path cannot hold as it is (spaces, `%`, characters beyond ASCII), and nothing else: a name with an encoded letter, digit, `-`, `.`, `_`, `~`, slash or control character is not decoded. A name that is empty or has a slash is refused; any other impossible name does not exist.
                 * @example notes
                 */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /** @description The settings to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsUpdate"];
            };
        };
        responses: {
            /** @description The settings are written, and every app is in line. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsUpdateResult"];
                };
            };
            /** @description The settings are written, but at least one app could not be brought in line: there is an action of the kind `error`. */
            207: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsUpdateResult"];
                };
            };
            /** @description The body, the name in the path or a value is refused. Nothing was written. */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
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
            default: components["responses"]["OtherError"];
        };
    };
    updateApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the app, which is the name of its directory: 1 to 255 bytes of UTF-8 without a slash, NUL, another control character or a leading dot. Percent-encode what a path cannot hold as it is (spaces, `%`, characters beyond ASCII), and nothing else: a name with an encoded letter, digit, `-`, `.`, `_`, `~`, slash or control character is not decoded. A name that is empty or has a slash is refused; any other impossible name does not exist.
                 * @example notes
                 */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What changed. Nothing changed if every image was the newest already. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppUpdateResult"];
                };
            };
            /** @description The body or the name in the path is refused, or the newer version cannot be brought. */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
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
            /** @description The container tool failed, or a new container did not come up. The app is as it was before. */
            502: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["TooManyChanges"];
            default: components["responses"]["OtherError"];
        };
    };
    checkSelfUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The running version and the newest one. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
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
            /** @description The release feed gave no usable answer, or no feed is configured. */
            502: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
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
    applySelfUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job was started. */
            202: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SelfUpdateDispatch"];
                };
            };
            400: components["responses"]["InvalidBody"];
            403: components["responses"]["CrossSite"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description An update is running already. */
            409: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            421: components["responses"]["ForeignHost"];
            500: components["responses"]["InternalError"];
            /** @description The service manager did not start the job. */
            502: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
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
    getSelfUpdateStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the latest update. It is `{}` if no update was ever attempted. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
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
            default: components["responses"]["OtherError"];
        };
    };
    installApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The app and its settings. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallRequest"];
            };
        };
        responses: {
            /** @description The app is installed, and every app is in line. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallResult"];
                };
            };
            /** @description The app is installed, but at least one app could not be brought in line: there is an action of the kind `error`. */
            207: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallResult"];
                };
            };
            /** @description The body is refused, or the installer refuses. */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
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
            default: components["responses"]["OtherError"];
        };
    };
    removeApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The app to remove. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemoveRequest"];
            };
        };
        responses: {
            /** @description The app is removed. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveResult"];
                };
            };
            /** @description The body is refused. */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["CrossSite"];
            /** @description The app is not installed. */
            404: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            421: components["responses"]["ForeignHost"];
            /** @description The app's directory could not be deleted, the disk refused, or there was an unknown fault. */
            500: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control": "no-store";
                    /** @description Always `nosniff`. */
                    "X-Content-Type-Options": "nosniff";
                    /** @description The version that answers, as `boxgate/VERSION`. The updater's health check reads it. */
                    Server: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["TooManyChanges"];
            default: components["responses"]["OtherError"];
        };
    };
}
