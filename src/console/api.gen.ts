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
    "/settings/api/apps/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /** Show one app, its containers and its latest changes */
        get: operations["showApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/apps/{name}/measures": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /** Measure what an app uses now, and the space of its data */
        get: operations["measureApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/apps/{name}/log": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /** Read the last 1000 lines of the log of an app's containers */
        get: operations["readAppLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/apps/{name}/log/events": {
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
    "/settings/api/apps/{name}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop an app, start it again, and watch that it stays up */
        post: operations["restartApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/apps/{name}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /** Show what an undo of the settings would change */
        get: operations["showUndo"];
        put?: never;
        /** Give an app the settings that it had before their latest change */
        post: operations["undoAppSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/apps/{name}/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /** List the public addresses of an app, as this box knows them */
        get: operations["listAppAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/apps/{name}/kept-files": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        /** List the owner's versions of files that an upgrade replaced, each with what differs */
        get: operations["listKeptFiles"];
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
    "/settings/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show where messages go, and whether they arrive */
        get: operations["showNotifications"];
        put?: never;
        /** Set where messages go */
        post: operations["setNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message */
        post: operations["testNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at everything that the box needs */
        get: operations["runDoctor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Make a report to send to somebody who helps */
        get: operations["makeReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the repository, the schedule and all backups */
        get: operations["showBackups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backups/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the backup, restore or check that was begun last */
        get: operations["showBackupWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backups/make": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a backup of an app, or of all apps */
        post: operations["makeBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backups/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to bring an app back as a backup has it */
        post: operations["restoreBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backups/rehearse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to prove the latest backup of an app */
        post: operations["rehearseBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backups/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a check of the repository and of a part of its data */
        post: operations["checkBackups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backups/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Switch the backups of every night on or off */
        post: operations["setBackupSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/backups/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show the key of the backups */
        post: operations["showBackupKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/space": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count what takes the disk space, which may take most of a minute */
        get: operations["showSpace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/space/free": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove the images that updates of apps have replaced */
        post: operations["removeReplacedImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/apps/{name}/accept-disks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an app, percent-encoded. */
                name: components["parameters"]["AppName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start an app with its folders as they are, though a disk that it used is missing */
        post: operations["acceptDisks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the newer versions of apps that are known */
        get: operations["listNewVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/updates/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look for newer versions of apps now, and ask the registries of their images */
        post: operations["lookForNewVersions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/updates/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn the daily updates of apps on or off */
        post: operations["setAppUpdates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the names with HTTPS in the home network */
        get: operations["showNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/names/root.crt": {
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
    "/settings/api/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the tunnel to the gateway, and what is published there
         * @description May take 20 seconds, until data through the tunnel is answered.
         */
        get: operations["showTunnel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/addresses/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register this box at a gateway, and start the tunnel */
        post: operations["joinGateway"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/addresses/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an app reachable under a public name */
        post: operations["publishApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/api/addresses/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take a public name back */
        post: operations["withdrawRoute"];
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
        /** @description Null if it could not be counted. */
        Bytes: number | null;
        /** @description What takes the disk space. */
        Space: {
            disks: {
                /** @description What of the box is on it. */
                uses: string[];
                free: number;
                size: number;
                /** @description Whether less than a tenth is free. */
                is_low: boolean;
            }[];
            apps: {
                name: string;
                title: string;
                folder: components["schemas"]["Bytes"];
                /** @description Apps may share parts of their images. */
                images: number;
                volumes: components["schemas"]["SizedVolume"][];
            }[];
            /** @description Apps that are not started, because a disk is missing. */
            held: {
                name: string;
                problem: string;
            }[];
            /** @description Volumes that belong to no installed app. */
            other_volumes: components["schemas"]["SizedVolume"][];
            /** @description Images that no installed app uses, in bytes. */
            other_images: number;
            trash: components["schemas"]["Bytes"];
            backups: {
                address: string;
                bytes: components["schemas"]["Bytes"];
            };
            /** @description Images that updates of apps have replaced. */
            replaced: {
                app: string;
                tag: string;
                /** @description What its removal frees. */
                bytes: number;
                /**
                 * Format: date-time
                 * @description When it is removed by itself.
                 */
                goes_at: string;
            }[];
            /** @description Why images and volumes are not counted; null if they are. */
            problem: string | null;
        };
        SizedVolume: {
            name: string;
            bytes: number;
        };
        /** @description The newer versions of apps that are known. */
        NewVersions: {
            /**
             * Format: date-time
             * @description Null before the first look.
             */
            looked_at: string | null;
            apps: {
                name: string;
                title: string;
                /** @description The address of the release notes; null if the manifest names none. */
                release_notes: string | null;
                newer: {
                    /** @enum {string} */
                    what: "catalogue" | "image";
                    /** @description The app, or the reference of the image. */
                    of: string;
                    /** @description The version, or the digest of the image. */
                    to: string;
                    /**
                     * Format: date-time
                     * @description When the box saw it first.
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description When an update to it was rolled back. It is then not tried again by itself.
                     */
                    failed_at: string | null;
                }[];
            }[];
            /** @description Images whose registry could not be asked. */
            problems: {
                image: string;
                reason: string;
            }[];
            /** @description Whether apps are updated by themselves. */
            is_enabled: boolean;
            min_age_hours: number;
        };
        /** @description The names with HTTPS in the home network. */
        Names: {
            /** @description That of the page; empty if there are no such names. */
            domain: string;
            /** @description Whether each device has to trust `root.crt`. */
            has_root: boolean;
            names: {
                app: string;
                url: string;
            }[];
            /** @description What is wrong with the names. */
            problems: string[];
        };
        /** @description One app, as its room shows it. */
        OneApp: {
            name: string;
            title: string;
            /** @description Null if the manifest cannot be read. */
            version: string | null;
            state: string;
            state_detail: string;
            /** @description The names that lead to the app, at home and from outside. */
            addresses: string[];
            /** @description The step of a change that is under way; empty if there is none. */
            operation: string;
            containers: {
                name: string;
                service: string;
                state: string;
                health: string | null;
                image: string;
                started_at: string | null;
            }[];
            /** @description The last ten changes, the latest first. */
            changes: {
                at: string;
                operation: string;
                by: string;
                outcome: string;
                detail: string;
            }[];
            /** @description Why the containers are unknown; empty if they are known. */
            docker_problem: string;
            /** @description Why the app is not started, if a disk of its folders is missing; else empty. */
            disk_problem: string;
        };
        /** @description What an app uses now. */
        AppMeasures: {
            usage: {
                container: string;
                /** @description 100 is one whole processor. */
                processor_percent: number;
                memory_bytes: number;
            }[];
            data: {
                kind: string;
                name: string;
                path: string;
                bytes: number;
                /** @description False if it takes more than that. */
                is_whole: boolean;
            }[];
            problems: string[];
        };
        /** @description Lines of a log. */
        LogPart: {
            lines: {
                time: string | null;
                /** @description The service, or its container. */
                source: string;
                text: string;
            }[];
            /** @description How many lines came with these and are not shown. */
            left_out: number;
            /** @description What cannot be read, and why. */
            notes: string[];
        };
        /** @description A setting that an undo would change. Null means that it is absent. */
        SettingChange: {
            key: string;
            present: string | null;
            previous: string | null;
        };
        /** @description An owner's version of a file that an upgrade replaced. */
        KeptFile: {
            kept: string;
            file: string;
            /** @description As `diff -u` shows it, without secrets; null if one of the files is no text or too large. */
            difference: string | null;
            is_whole: boolean;
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
        /** @description Where messages go, and whether they arrive. */
        Notifications: {
            /** @description The host of the address; null if notifications are off. */
            host: string | null;
            /** @description Whether the address is that of `BOX_NOTIFY`. */
            is_setting: boolean;
            /**
             * Format: date-time
             * @description When the latest message was sent; null if none was.
             */
            last_sent: string | null;
            /** @description Why the latest message could not be sent; null if it was sent. */
            problem: string | null;
            /** @description What is still to be sent; null if nothing is. */
            waiting: string | null;
        };
        /** @description What the doctor found of one thing. */
        Finding: {
            about: string;
            /** @enum {string} */
            verdict: "ok" | "off" | "problem" | "unknown";
            /** @description What was found, and for a problem what to do. */
            text: string;
        };
        /** @description The repository, the schedule and all backups. */
        Backups: {
            /** @description Where the backups are, without a password. */
            repository: string;
            /** @description Why the backups cannot be listed, and what to do; null if they can. */
            problem: string | null;
            /** @description Whether a backup of every app is made each night. */
            is_scheduled: boolean;
            /**
             * Format: date-time
             * @description When the last run of all apps ended; null if there was none.
             */
            ended_at: string | null;
            /** @description What failed in that run and concerns all apps; null if nothing did. */
            run_problem: string | null;
            /**
             * Format: date-time
             * @description When the next run begins; null if it is not known.
             */
            next_at: string | null;
            /** @description What the owner has to know about all backups, such as another machine on the same repository. */
            warnings: string[];
            /** @description The installed apps. */
            apps: components["schemas"]["BackedUpApp"][];
            /** @description The backups, the latest first. */
            backups: components["schemas"]["Backup"][];
        };
        /** @description An installed app and its latest backup. */
        BackedUpApp: {
            app: string;
            /**
             * Format: date-time
             * @description When the latest backup was made that a restore takes by itself; null if there is none.
             */
            made_at: string | null;
            /** @description Why there is no fresh backup that can be trusted; null if there is one, or the schedule is off. */
            problem: string | null;
        };
        /** @description A backup of an app. */
        Backup: {
            id: string;
            app: string;
            /** @description The version of the app, to which a restore goes back. */
            version: string;
            /** @description Why it was made, such as `schedule`, `update` or `manual`. */
            reason: string;
            /** Format: date-time */
            made_at: string;
            /**
             * Format: double
             * @description How long the app was away for it; null if it did not run.
             */
            away_seconds: number | null;
            /** @description Whether some files could not be read. */
            is_incomplete: boolean;
        };
        /** @description A backup, restore, rehearsal or check. */
        BackupWork: {
            /** @description What it is, such as `a backup of notes`. */
            doing: string;
            /** Format: date-time */
            since: string;
            result: components["schemas"]["Outcome"] | null;
        };
        /** @description The tunnel to a gateway. If the box has not joined one, the other fields are empty. */
        Tunnel: {
            is_joined: boolean;
            gateway: string;
            box_name: string;
            /** @description Whether the tunnel carries data and the gateway answers. */
            works: boolean;
            /**
             * Format: date-time
             * @description When the two ends last agreed on keys; null if it is not known.
             */
            handshake_at: string | null;
            /** @description What does not work, and what to do. */
            problems: string[];
            routes: components["schemas"]["PublicRoute"][];
        };
        /** @description How a publication has ended. */
        Published: {
            /** @description False if it was made, but something beside it failed. */
            ok: boolean;
            /** @description What was done and what failed, in lines. */
            text: string;
            /** @description The password of a new login, which nothing keeps; empty without one. */
            password: string;
        };
        /** @description A published app. */
        PublicRoute: {
            /** @description Who may open it, in words; empty if everybody may. */
            access: string;
            host: string;
            url: string;
            /** @description The name of the app; empty if the gateway did not answer. */
            app: string;
            port: number;
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
        BackupApp: {
            content: {
                "application/json": {
                    /** @description The name of an app. For a backup, empty means all apps. */
                    app: string;
                };
            };
        };
        BackupRestore: {
            content: {
                "application/json": {
                    /** @description The app of the backup. */
                    app: string;
                    /** @description The id of the backup. */
                    id: string;
                    /** @description The name of a second app beside the first. Empty to replace the app itself. */
                    as: string;
                };
            };
        };
        BackupSchedule: {
            content: {
                "application/json": {
                    /** @description Whether a backup of every app is made each night. */
                    is_on: boolean;
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
    showApp: {
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
            /** @description The app. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneApp"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    measureApp: {
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
            /** @description What was measured. It takes some seconds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppMeasures"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    readAppLog: {
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
            /** @description The lines in the order of their times, without secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPart"];
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
    restartApp: {
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
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    showUndo: {
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
            /** @description The settings that would change, without secrets; none if there is nothing to undo. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changes: components["schemas"]["SettingChange"][];
                    };
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    undoAppSettings: {
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
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    listAppAddresses: {
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
            /** @description The addresses. The gateway is not asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the box has joined a gateway. */
                        is_joined: boolean;
                        routes: components["schemas"]["PublicRoute"][];
                    };
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    listKeptFiles: {
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
            /** @description The kept files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: components["schemas"]["KeptFile"][];
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
    showNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the notifications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    setNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description An address of ntfy, of Gotify, or any web-hook that takes text. An empty text forgets the address, so
                     *     that the one of `BOX_NOTIFY` counts again.
                     */
                    address: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    testNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    runDoctor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found, in the order of the shell command `boxgate box doctor`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        findings: components["schemas"]["Finding"][];
                    };
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    makeReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report, without secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        text: string;
                    };
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    showBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backups. The list is empty while `problem` is not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backups"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    showBackupWork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest work since the console started. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        work: components["schemas"]["BackupWork"] | null;
                    };
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    makeBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BackupApp"];
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    restoreBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BackupRestore"];
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    rehearseBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BackupApp"];
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    checkBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    setBackupSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BackupSchedule"];
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    showBackupKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. Whoever has it can read the backups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: string;
                    };
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    showSpace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What takes the disk space. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    removeReplacedImages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    acceptDisks: {
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
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    listNewVersions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The apps with a newer version, as of the latest look. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewVersions"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    lookForNewVersions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    setAppUpdates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    is_enabled: boolean;
                    /** @description For how many hours a newer version has to be known. */
                    min_age_hours: number;
                };
            };
        };
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    showNames: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Names"];
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
    showTunnel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tunnel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tunnel"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    joinGateway: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The address of the gateway. */
                    gateway: string;
                    /** @description What the box is called there. */
                    name: string;
                    /** @description The token of the gateway's operator. It is not kept. */
                    token: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
    publishApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name of an installed app. */
                    app: string;
                    /** @description The first part of its public name. */
                    subdomain: string;
                    /** @description The port of the app on this box; 0 or absent means the one that it publishes. */
                    port?: number;
                    /**
                     * @description The name of a login for visitors. Its password is made. Empty or absent keeps the login of before, if
                     *     there is one; so do the next two.
                     */
                    login?: string;
                    /** @description The addresses and networks that visitors may come from, with commas. */
                    allow?: string;
                    /** @description The paths that need no login, with commas. */
                    open_paths?: string;
                };
            };
        };
        responses: {
            /** @description The app is published. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Published"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    withdrawRoute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The public name. */
                    host: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Outcome"];
            default: components["responses"]["OtherError"];
        };
    };
}
