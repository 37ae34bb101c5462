// @ts-nocheck: the validators below are ajv's; the generator declares the types of the exports.
/**
 * Made by `node spec/generate.ts` from spec/console.openapi.yaml. Never edited.
 *
 * `operations` is the table of endpoints in the document's order. `pathValidators[id]({ name })` and
 * `bodyValidators[id](body)` leave all errors in `.errors`. An error belongs to the first segment of its
 * `instancePath`; for the keyword `required` at the top, to `params.missingProperty`. The first row of
 * `constraintRefusals[id]` that applies is the refusal. A row with `absent` applies to a missing property or one of
 * these values, any other row to an error of its property. The body must be an object, so that every error has a row.
 */

export type OperationId =
  | 'showConsole'
  | 'listRooms'
  | 'showApp'
  | 'measureApp'
  | 'readAppLog'
  | 'followAppLog'
  | 'restartApp'
  | 'showUndo'
  | 'undoAppSettings'
  | 'listAppAddresses'
  | 'listKeptFiles'
  | 'listTrash'
  | 'restoreRemovedApp'
  | 'deleteRemovedApp'
  | 'showNotifications'
  | 'setNotifications'
  | 'testNotification'
  | 'runDoctor'
  | 'makeReport'
  | 'showBackups'
  | 'showBackupWork'
  | 'makeBackup'
  | 'restoreBackup'
  | 'rehearseBackup'
  | 'checkBackups'
  | 'setBackupSchedule'
  | 'showBackupKey'
  | 'showSpace'
  | 'removeReplacedImages'
  | 'acceptDisks'
  | 'listNewVersions'
  | 'lookForNewVersions'
  | 'setAppUpdates'
  | 'showNames'
  | 'readRootCertificate'
  | 'showTunnel'
  | 'joinGateway'
  | 'publishApp'
  | 'withdrawRoute';

export type DocumentRefusal =
  | 'invalidAppName'
  | 'invalidRemovedApp'
  | 'invalidNotifyAddress'
  | 'invalidBackupRequest'
  | 'invalidAppUpdates'
  | 'invalidAddressRequest';

export type SchemaError = {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The value that failed; for a missing property, the object without it. */
  readonly data: unknown;
};

/** A compiled schema. It adds the schema's defaults to the value. */
export type Validator = {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
};

export type OperationRow = {
  readonly operationId: OperationId;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the document, with parameters in braces. */
  readonly path: string;
};

export type ConstraintRefusal = {
  readonly in: 'path' | 'body';
  /** The name of the path parameter, or of the body's property. */
  readonly at: string;
  readonly refusal: DocumentRefusal;
  /** Restricts the row to a property that is missing or has one of these values. */
  readonly absent?: readonly unknown[];
  /** The rule of the property, for the refusal's text. */
  readonly rule?: string;
};

export const operations: readonly OperationRow[] = [
  {
    "operationId": "showConsole",
    "method": "GET",
    "path": "/settings/"
  },
  {
    "operationId": "listRooms",
    "method": "GET",
    "path": "/settings/api/apps"
  },
  {
    "operationId": "showApp",
    "method": "GET",
    "path": "/settings/api/apps/{name}"
  },
  {
    "operationId": "measureApp",
    "method": "GET",
    "path": "/settings/api/apps/{name}/measures"
  },
  {
    "operationId": "readAppLog",
    "method": "GET",
    "path": "/settings/api/apps/{name}/log"
  },
  {
    "operationId": "followAppLog",
    "method": "GET",
    "path": "/settings/api/apps/{name}/log/events"
  },
  {
    "operationId": "restartApp",
    "method": "POST",
    "path": "/settings/api/apps/{name}/restart"
  },
  {
    "operationId": "showUndo",
    "method": "GET",
    "path": "/settings/api/apps/{name}/undo"
  },
  {
    "operationId": "undoAppSettings",
    "method": "POST",
    "path": "/settings/api/apps/{name}/undo"
  },
  {
    "operationId": "listAppAddresses",
    "method": "GET",
    "path": "/settings/api/apps/{name}/addresses"
  },
  {
    "operationId": "listKeptFiles",
    "method": "GET",
    "path": "/settings/api/apps/{name}/kept-files"
  },
  {
    "operationId": "listTrash",
    "method": "GET",
    "path": "/settings/api/trash"
  },
  {
    "operationId": "restoreRemovedApp",
    "method": "POST",
    "path": "/settings/api/trash/restore"
  },
  {
    "operationId": "deleteRemovedApp",
    "method": "POST",
    "path": "/settings/api/trash/delete"
  },
  {
    "operationId": "showNotifications",
    "method": "GET",
    "path": "/settings/api/notifications"
  },
  {
    "operationId": "setNotifications",
    "method": "POST",
    "path": "/settings/api/notifications"
  },
  {
    "operationId": "testNotification",
    "method": "POST",
    "path": "/settings/api/notifications/test"
  },
  {
    "operationId": "runDoctor",
    "method": "GET",
    "path": "/settings/api/doctor"
  },
  {
    "operationId": "makeReport",
    "method": "GET",
    "path": "/settings/api/report"
  },
  {
    "operationId": "showBackups",
    "method": "GET",
    "path": "/settings/api/backups"
  },
  {
    "operationId": "showBackupWork",
    "method": "GET",
    "path": "/settings/api/backups/work"
  },
  {
    "operationId": "makeBackup",
    "method": "POST",
    "path": "/settings/api/backups/make"
  },
  {
    "operationId": "restoreBackup",
    "method": "POST",
    "path": "/settings/api/backups/restore"
  },
  {
    "operationId": "rehearseBackup",
    "method": "POST",
    "path": "/settings/api/backups/rehearse"
  },
  {
    "operationId": "checkBackups",
    "method": "POST",
    "path": "/settings/api/backups/check"
  },
  {
    "operationId": "setBackupSchedule",
    "method": "POST",
    "path": "/settings/api/backups/schedule"
  },
  {
    "operationId": "showBackupKey",
    "method": "POST",
    "path": "/settings/api/backups/key"
  },
  {
    "operationId": "showSpace",
    "method": "GET",
    "path": "/settings/api/space"
  },
  {
    "operationId": "removeReplacedImages",
    "method": "POST",
    "path": "/settings/api/space/free"
  },
  {
    "operationId": "acceptDisks",
    "method": "POST",
    "path": "/settings/api/apps/{name}/accept-disks"
  },
  {
    "operationId": "listNewVersions",
    "method": "GET",
    "path": "/settings/api/updates"
  },
  {
    "operationId": "lookForNewVersions",
    "method": "POST",
    "path": "/settings/api/updates/look"
  },
  {
    "operationId": "setAppUpdates",
    "method": "POST",
    "path": "/settings/api/updates/schedule"
  },
  {
    "operationId": "showNames",
    "method": "GET",
    "path": "/settings/api/names"
  },
  {
    "operationId": "readRootCertificate",
    "method": "GET",
    "path": "/settings/api/names/root.crt"
  },
  {
    "operationId": "showTunnel",
    "method": "GET",
    "path": "/settings/api/addresses"
  },
  {
    "operationId": "joinGateway",
    "method": "POST",
    "path": "/settings/api/addresses/join"
  },
  {
    "operationId": "publishApp",
    "method": "POST",
    "path": "/settings/api/addresses/publish"
  },
  {
    "operationId": "withdrawRoute",
    "method": "POST",
    "path": "/settings/api/addresses/withdraw"
  }
];

export const constraintRefusals: Readonly<Record<OperationId, readonly ConstraintRefusal[]>> = {
  "showConsole": [],
  "listRooms": [],
  "showApp": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "measureApp": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "readAppLog": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "followAppLog": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "restartApp": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "showUndo": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "undoAppSettings": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "listAppAddresses": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "listKeptFiles": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "listTrash": [],
  "restoreRemovedApp": [
    {
      "in": "body",
      "at": "id",
      "refusal": "invalidRemovedApp"
    }
  ],
  "deleteRemovedApp": [
    {
      "in": "body",
      "at": "id",
      "refusal": "invalidRemovedApp"
    }
  ],
  "showNotifications": [],
  "setNotifications": [
    {
      "in": "body",
      "at": "address",
      "refusal": "invalidNotifyAddress"
    }
  ],
  "testNotification": [],
  "runDoctor": [],
  "makeReport": [],
  "showBackups": [],
  "showBackupWork": [],
  "makeBackup": [
    {
      "in": "body",
      "at": "app",
      "refusal": "invalidBackupRequest"
    }
  ],
  "restoreBackup": [
    {
      "in": "body",
      "at": "app",
      "refusal": "invalidBackupRequest"
    },
    {
      "in": "body",
      "at": "id",
      "refusal": "invalidBackupRequest"
    },
    {
      "in": "body",
      "at": "as",
      "refusal": "invalidBackupRequest"
    }
  ],
  "rehearseBackup": [
    {
      "in": "body",
      "at": "app",
      "refusal": "invalidBackupRequest"
    }
  ],
  "checkBackups": [],
  "setBackupSchedule": [
    {
      "in": "body",
      "at": "is_on",
      "refusal": "invalidBackupRequest"
    }
  ],
  "showBackupKey": [],
  "showSpace": [],
  "removeReplacedImages": [],
  "acceptDisks": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "listNewVersions": [],
  "lookForNewVersions": [],
  "setAppUpdates": [
    {
      "in": "body",
      "at": "is_enabled",
      "refusal": "invalidAppUpdates"
    },
    {
      "in": "body",
      "at": "min_age_hours",
      "refusal": "invalidAppUpdates"
    }
  ],
  "showNames": [],
  "readRootCertificate": [],
  "showTunnel": [],
  "joinGateway": [
    {
      "in": "body",
      "at": "gateway",
      "refusal": "invalidAddressRequest"
    },
    {
      "in": "body",
      "at": "name",
      "refusal": "invalidAddressRequest"
    },
    {
      "in": "body",
      "at": "token",
      "refusal": "invalidAddressRequest"
    }
  ],
  "publishApp": [
    {
      "in": "body",
      "at": "app",
      "refusal": "invalidAddressRequest"
    },
    {
      "in": "body",
      "at": "subdomain",
      "refusal": "invalidAddressRequest"
    },
    {
      "in": "body",
      "at": "port",
      "refusal": "invalidAddressRequest"
    },
    {
      "in": "body",
      "at": "login",
      "refusal": "invalidAddressRequest"
    },
    {
      "in": "body",
      "at": "allow",
      "refusal": "invalidAddressRequest"
    },
    {
      "in": "body",
      "at": "open_paths",
      "refusal": "invalidAddressRequest"
    }
  ],
  "withdrawRoute": [
    {
      "in": "body",
      "at": "host",
      "refusal": "invalidAddressRequest"
    }
  ]
};

var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var restoreRemovedAppBody = validate10;
var schema11 = { "type": "object", "required": ["id"], "properties": { "id": { "type": "string", "minLength": 1, "maxLength": 64, "x-refusal": "invalidRemovedApp" } } };
var func2 = require_ucs2length().default;
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.id === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema11.required, parentSchema: schema11, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.id !== void 0) {
      let data0 = data.id;
      if (typeof data0 === "string") {
        if (func2(data0) > 64) {
          const err1 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters", schema: 64, parentSchema: schema11.properties.id, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (func2(data0) < 1) {
          const err2 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema11.properties.id, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema11.properties.id.type, parentSchema: schema11.properties.id, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
  } else {
    const err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema11.type, parentSchema: schema11, data };
    if (vErrors === null) {
      vErrors = [err4];
    } else {
      vErrors.push(err4);
    }
    errors++;
  }
  validate10.errors = vErrors;
  return errors === 0;
}
var deleteRemovedAppBody = validate11;
var schema12 = { "type": "object", "required": ["id"], "properties": { "id": { "type": "string", "minLength": 1, "maxLength": 64, "x-refusal": "invalidRemovedApp" } } };
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.id === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema12.required, parentSchema: schema12, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.id !== void 0) {
      let data0 = data.id;
      if (typeof data0 === "string") {
        if (func2(data0) > 64) {
          const err1 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters", schema: 64, parentSchema: schema12.properties.id, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (func2(data0) < 1) {
          const err2 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema12.properties.id, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.id.type, parentSchema: schema12.properties.id, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
  } else {
    const err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema12.type, parentSchema: schema12, data };
    if (vErrors === null) {
      vErrors = [err4];
    } else {
      vErrors.push(err4);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}
var setNotificationsBody = validate12;
var schema13 = { "type": "object", "required": ["address"], "properties": { "address": { "type": "string", "maxLength": 2048, "x-refusal": "invalidNotifyAddress" } } };
function validate12(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.address === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "address" }, message: "must have required property 'address'", schema: schema13.required, parentSchema: schema13, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.address !== void 0) {
      let data0 = data.address;
      if (typeof data0 === "string") {
        if (func2(data0) > 2048) {
          const err1 = { instancePath: instancePath + "/address", schemaPath: "#/properties/address/maxLength", keyword: "maxLength", params: { limit: 2048 }, message: "must NOT have more than 2048 characters", schema: 2048, parentSchema: schema13.properties.address, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/address", schemaPath: "#/properties/address/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema13.properties.address.type, parentSchema: schema13.properties.address, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema13.type, parentSchema: schema13, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate12.errors = vErrors;
  return errors === 0;
}
var makeBackupBody = validate13;
var schema14 = { "type": "object", "required": ["app"], "properties": { "app": { "type": "string", "maxLength": 255, "x-refusal": "invalidBackupRequest" } } };
function validate13(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.app === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "app" }, message: "must have required property 'app'", schema: schema14.required, parentSchema: schema14, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.app !== void 0) {
      let data0 = data.app;
      if (typeof data0 === "string") {
        if (func2(data0) > 255) {
          const err1 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters", schema: 255, parentSchema: schema14.properties.app, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema14.properties.app.type, parentSchema: schema14.properties.app, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema14.type, parentSchema: schema14, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate13.errors = vErrors;
  return errors === 0;
}
var restoreBackupBody = validate14;
var schema15 = { "type": "object", "required": ["app", "id", "as"], "properties": { "app": { "type": "string", "minLength": 1, "maxLength": 255, "x-refusal": "invalidBackupRequest" }, "id": { "type": "string", "pattern": "^[0-9a-f]{8,64}$", "x-refusal": "invalidBackupRequest" }, "as": { "type": "string", "maxLength": 255, "x-refusal": "invalidBackupRequest" } } };
var pattern0 = new RegExp("^[0-9a-f]{8,64}$", "u");
function validate14(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.app === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "app" }, message: "must have required property 'app'", schema: schema15.required, parentSchema: schema15, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.id === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'", schema: schema15.required, parentSchema: schema15, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.as === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "as" }, message: "must have required property 'as'", schema: schema15.required, parentSchema: schema15, data };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.app !== void 0) {
      let data0 = data.app;
      if (typeof data0 === "string") {
        if (func2(data0) > 255) {
          const err3 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters", schema: 255, parentSchema: schema15.properties.app, data: data0 };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (func2(data0) < 1) {
          const err4 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema15.properties.app, data: data0 };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
      } else {
        const err5 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema15.properties.app.type, parentSchema: schema15.properties.app, data: data0 };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.id !== void 0) {
      let data1 = data.id;
      if (typeof data1 === "string") {
        if (!pattern0.test(data1)) {
          const err6 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{8,64}$" }, message: 'must match pattern "^[0-9a-f]{8,64}$"', schema: "^[0-9a-f]{8,64}$", parentSchema: schema15.properties.id, data: data1 };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
      } else {
        const err7 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema15.properties.id.type, parentSchema: schema15.properties.id, data: data1 };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.as !== void 0) {
      let data2 = data.as;
      if (typeof data2 === "string") {
        if (func2(data2) > 255) {
          const err8 = { instancePath: instancePath + "/as", schemaPath: "#/properties/as/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters", schema: 255, parentSchema: schema15.properties.as, data: data2 };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
      } else {
        const err9 = { instancePath: instancePath + "/as", schemaPath: "#/properties/as/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema15.properties.as.type, parentSchema: schema15.properties.as, data: data2 };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
  } else {
    const err10 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema15.type, parentSchema: schema15, data };
    if (vErrors === null) {
      vErrors = [err10];
    } else {
      vErrors.push(err10);
    }
    errors++;
  }
  validate14.errors = vErrors;
  return errors === 0;
}
var rehearseBackupBody = validate15;
var schema16 = { "type": "object", "required": ["app"], "properties": { "app": { "type": "string", "maxLength": 255, "x-refusal": "invalidBackupRequest" } } };
function validate15(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.app === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "app" }, message: "must have required property 'app'", schema: schema16.required, parentSchema: schema16, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.app !== void 0) {
      let data0 = data.app;
      if (typeof data0 === "string") {
        if (func2(data0) > 255) {
          const err1 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters", schema: 255, parentSchema: schema16.properties.app, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema16.properties.app.type, parentSchema: schema16.properties.app, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema16.type, parentSchema: schema16, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate15.errors = vErrors;
  return errors === 0;
}
var setBackupScheduleBody = validate16;
var schema17 = { "type": "object", "required": ["is_on"], "properties": { "is_on": { "type": "boolean", "x-refusal": "invalidBackupRequest" } } };
function validate16(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.is_on === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "is_on" }, message: "must have required property 'is_on'", schema: schema17.required, parentSchema: schema17, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.is_on !== void 0) {
      let data0 = data.is_on;
      if (typeof data0 !== "boolean") {
        const err1 = { instancePath: instancePath + "/is_on", schemaPath: "#/properties/is_on/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema17.properties.is_on.type, parentSchema: schema17.properties.is_on, data: data0 };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema17.type, parentSchema: schema17, data };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate16.errors = vErrors;
  return errors === 0;
}
var setAppUpdatesBody = validate17;
var schema18 = { "type": "object", "required": ["is_enabled", "min_age_hours"], "properties": { "is_enabled": { "type": "boolean", "x-refusal": "invalidAppUpdates" }, "min_age_hours": { "type": "integer", "minimum": 0, "maximum": 8760, "x-refusal": "invalidAppUpdates" } } };
function validate17(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.is_enabled === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "is_enabled" }, message: "must have required property 'is_enabled'", schema: schema18.required, parentSchema: schema18, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.min_age_hours === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "min_age_hours" }, message: "must have required property 'min_age_hours'", schema: schema18.required, parentSchema: schema18, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.is_enabled !== void 0) {
      let data0 = data.is_enabled;
      if (typeof data0 !== "boolean") {
        const err2 = { instancePath: instancePath + "/is_enabled", schemaPath: "#/properties/is_enabled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema18.properties.is_enabled.type, parentSchema: schema18.properties.is_enabled, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.min_age_hours !== void 0) {
      let data1 = data.min_age_hours;
      if (!(typeof data1 == "number" && (!(data1 % 1) && !isNaN(data1)) && isFinite(data1))) {
        const err3 = { instancePath: instancePath + "/min_age_hours", schemaPath: "#/properties/min_age_hours/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema18.properties.min_age_hours.type, parentSchema: schema18.properties.min_age_hours, data: data1 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (typeof data1 == "number" && isFinite(data1)) {
        if (data1 > 8760 || isNaN(data1)) {
          const err4 = { instancePath: instancePath + "/min_age_hours", schemaPath: "#/properties/min_age_hours/maximum", keyword: "maximum", params: { comparison: "<=", limit: 8760 }, message: "must be <= 8760", schema: 8760, parentSchema: schema18.properties.min_age_hours, data: data1 };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (data1 < 0 || isNaN(data1)) {
          const err5 = { instancePath: instancePath + "/min_age_hours", schemaPath: "#/properties/min_age_hours/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema18.properties.min_age_hours, data: data1 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
      }
    }
  } else {
    const err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema18.type, parentSchema: schema18, data };
    if (vErrors === null) {
      vErrors = [err6];
    } else {
      vErrors.push(err6);
    }
    errors++;
  }
  validate17.errors = vErrors;
  return errors === 0;
}
var joinGatewayBody = validate18;
var schema19 = { "type": "object", "required": ["gateway", "name", "token"], "properties": { "gateway": { "type": "string", "minLength": 1, "maxLength": 2048, "x-refusal": "invalidAddressRequest" }, "name": { "type": "string", "minLength": 1, "maxLength": 128, "x-refusal": "invalidAddressRequest" }, "token": { "type": "string", "minLength": 1, "maxLength": 1024, "x-refusal": "invalidAddressRequest" } } };
function validate18(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.gateway === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "gateway" }, message: "must have required property 'gateway'", schema: schema19.required, parentSchema: schema19, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema19.required, parentSchema: schema19, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.token === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "token" }, message: "must have required property 'token'", schema: schema19.required, parentSchema: schema19, data };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.gateway !== void 0) {
      let data0 = data.gateway;
      if (typeof data0 === "string") {
        if (func2(data0) > 2048) {
          const err3 = { instancePath: instancePath + "/gateway", schemaPath: "#/properties/gateway/maxLength", keyword: "maxLength", params: { limit: 2048 }, message: "must NOT have more than 2048 characters", schema: 2048, parentSchema: schema19.properties.gateway, data: data0 };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (func2(data0) < 1) {
          const err4 = { instancePath: instancePath + "/gateway", schemaPath: "#/properties/gateway/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema19.properties.gateway, data: data0 };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
      } else {
        const err5 = { instancePath: instancePath + "/gateway", schemaPath: "#/properties/gateway/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema19.properties.gateway.type, parentSchema: schema19.properties.gateway, data: data0 };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.name !== void 0) {
      let data1 = data.name;
      if (typeof data1 === "string") {
        if (func2(data1) > 128) {
          const err6 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters", schema: 128, parentSchema: schema19.properties.name, data: data1 };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        if (func2(data1) < 1) {
          const err7 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema19.properties.name, data: data1 };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
      } else {
        const err8 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema19.properties.name.type, parentSchema: schema19.properties.name, data: data1 };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.token !== void 0) {
      let data2 = data.token;
      if (typeof data2 === "string") {
        if (func2(data2) > 1024) {
          const err9 = { instancePath: instancePath + "/token", schemaPath: "#/properties/token/maxLength", keyword: "maxLength", params: { limit: 1024 }, message: "must NOT have more than 1024 characters", schema: 1024, parentSchema: schema19.properties.token, data: data2 };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
        if (func2(data2) < 1) {
          const err10 = { instancePath: instancePath + "/token", schemaPath: "#/properties/token/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema19.properties.token, data: data2 };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
      } else {
        const err11 = { instancePath: instancePath + "/token", schemaPath: "#/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema19.properties.token.type, parentSchema: schema19.properties.token, data: data2 };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
  } else {
    const err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema19.type, parentSchema: schema19, data };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate18.errors = vErrors;
  return errors === 0;
}
var publishAppBody = validate19;
var schema20 = { "type": "object", "required": ["app", "subdomain"], "properties": { "app": { "type": "string", "minLength": 1, "maxLength": 255, "x-refusal": "invalidAddressRequest" }, "subdomain": { "type": "string", "minLength": 1, "maxLength": 63, "x-refusal": "invalidAddressRequest" }, "port": { "type": "integer", "minimum": 0, "maximum": 65535, "x-refusal": "invalidAddressRequest" }, "login": { "type": "string", "maxLength": 63, "x-refusal": "invalidAddressRequest" }, "allow": { "type": "string", "maxLength": 2048, "x-refusal": "invalidAddressRequest" }, "open_paths": { "type": "string", "maxLength": 4096, "x-refusal": "invalidAddressRequest" } } };
function validate19(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.app === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "app" }, message: "must have required property 'app'", schema: schema20.required, parentSchema: schema20, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.subdomain === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "subdomain" }, message: "must have required property 'subdomain'", schema: schema20.required, parentSchema: schema20, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.app !== void 0) {
      let data0 = data.app;
      if (typeof data0 === "string") {
        if (func2(data0) > 255) {
          const err2 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters", schema: 255, parentSchema: schema20.properties.app, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        if (func2(data0) < 1) {
          const err3 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema20.properties.app, data: data0 };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
      } else {
        const err4 = { instancePath: instancePath + "/app", schemaPath: "#/properties/app/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema20.properties.app.type, parentSchema: schema20.properties.app, data: data0 };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.subdomain !== void 0) {
      let data1 = data.subdomain;
      if (typeof data1 === "string") {
        if (func2(data1) > 63) {
          const err5 = { instancePath: instancePath + "/subdomain", schemaPath: "#/properties/subdomain/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters", schema: 63, parentSchema: schema20.properties.subdomain, data: data1 };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (func2(data1) < 1) {
          const err6 = { instancePath: instancePath + "/subdomain", schemaPath: "#/properties/subdomain/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema20.properties.subdomain, data: data1 };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
      } else {
        const err7 = { instancePath: instancePath + "/subdomain", schemaPath: "#/properties/subdomain/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema20.properties.subdomain.type, parentSchema: schema20.properties.subdomain, data: data1 };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.port !== void 0) {
      let data2 = data.port;
      if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)) && isFinite(data2))) {
        const err8 = { instancePath: instancePath + "/port", schemaPath: "#/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema20.properties.port.type, parentSchema: schema20.properties.port, data: data2 };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
      if (typeof data2 == "number" && isFinite(data2)) {
        if (data2 > 65535 || isNaN(data2)) {
          const err9 = { instancePath: instancePath + "/port", schemaPath: "#/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535", schema: 65535, parentSchema: schema20.properties.port, data: data2 };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
        if (data2 < 0 || isNaN(data2)) {
          const err10 = { instancePath: instancePath + "/port", schemaPath: "#/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0", schema: 0, parentSchema: schema20.properties.port, data: data2 };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
      }
    }
    if (data.login !== void 0) {
      let data3 = data.login;
      if (typeof data3 === "string") {
        if (func2(data3) > 63) {
          const err11 = { instancePath: instancePath + "/login", schemaPath: "#/properties/login/maxLength", keyword: "maxLength", params: { limit: 63 }, message: "must NOT have more than 63 characters", schema: 63, parentSchema: schema20.properties.login, data: data3 };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
      } else {
        const err12 = { instancePath: instancePath + "/login", schemaPath: "#/properties/login/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema20.properties.login.type, parentSchema: schema20.properties.login, data: data3 };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.allow !== void 0) {
      let data4 = data.allow;
      if (typeof data4 === "string") {
        if (func2(data4) > 2048) {
          const err13 = { instancePath: instancePath + "/allow", schemaPath: "#/properties/allow/maxLength", keyword: "maxLength", params: { limit: 2048 }, message: "must NOT have more than 2048 characters", schema: 2048, parentSchema: schema20.properties.allow, data: data4 };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
      } else {
        const err14 = { instancePath: instancePath + "/allow", schemaPath: "#/properties/allow/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema20.properties.allow.type, parentSchema: schema20.properties.allow, data: data4 };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.open_paths !== void 0) {
      let data5 = data.open_paths;
      if (typeof data5 === "string") {
        if (func2(data5) > 4096) {
          const err15 = { instancePath: instancePath + "/open_paths", schemaPath: "#/properties/open_paths/maxLength", keyword: "maxLength", params: { limit: 4096 }, message: "must NOT have more than 4096 characters", schema: 4096, parentSchema: schema20.properties.open_paths, data: data5 };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
      } else {
        const err16 = { instancePath: instancePath + "/open_paths", schemaPath: "#/properties/open_paths/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema20.properties.open_paths.type, parentSchema: schema20.properties.open_paths, data: data5 };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
  } else {
    const err17 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema20.type, parentSchema: schema20, data };
    if (vErrors === null) {
      vErrors = [err17];
    } else {
      vErrors.push(err17);
    }
    errors++;
  }
  validate19.errors = vErrors;
  return errors === 0;
}
var withdrawRouteBody = validate20;
var schema21 = { "type": "object", "required": ["host"], "properties": { "host": { "type": "string", "minLength": 1, "maxLength": 253, "x-refusal": "invalidAddressRequest" } } };
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.host === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "host" }, message: "must have required property 'host'", schema: schema21.required, parentSchema: schema21, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.host !== void 0) {
      let data0 = data.host;
      if (typeof data0 === "string") {
        if (func2(data0) > 253) {
          const err1 = { instancePath: instancePath + "/host", schemaPath: "#/properties/host/maxLength", keyword: "maxLength", params: { limit: 253 }, message: "must NOT have more than 253 characters", schema: 253, parentSchema: schema21.properties.host, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (func2(data0) < 1) {
          const err2 = { instancePath: instancePath + "/host", schemaPath: "#/properties/host/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema21.properties.host, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/host", schemaPath: "#/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema21.properties.host.type, parentSchema: schema21.properties.host, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
  } else {
    const err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema21.type, parentSchema: schema21, data };
    if (vErrors === null) {
      vErrors = [err4];
    } else {
      vErrors.push(err4);
    }
    errors++;
  }
  validate20.errors = vErrors;
  return errors === 0;
}
var showAppPath = validate21;
var schema22 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
var pattern1 = new RegExp("^[^/]+$", "u");
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema22.required, parentSchema: schema22, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema22.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema22.properties.name.type, parentSchema: schema22.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema22.type, parentSchema: schema22, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate21.errors = vErrors;
  return errors === 0;
}
var measureAppPath = validate22;
var schema23 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema23.required, parentSchema: schema23, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema23.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema23.properties.name.type, parentSchema: schema23.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema23.type, parentSchema: schema23, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
var readAppLogPath = validate23;
var schema24 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema24.required, parentSchema: schema24, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema24.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema24.properties.name.type, parentSchema: schema24.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema24.type, parentSchema: schema24, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate23.errors = vErrors;
  return errors === 0;
}
var followAppLogPath = validate24;
var schema25 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate24(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema25.required, parentSchema: schema25, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema25.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema25.properties.name.type, parentSchema: schema25.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema25.type, parentSchema: schema25, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate24.errors = vErrors;
  return errors === 0;
}
var restartAppPath = validate25;
var schema26 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate25(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema26.required, parentSchema: schema26, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema26.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema26.properties.name.type, parentSchema: schema26.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema26.type, parentSchema: schema26, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate25.errors = vErrors;
  return errors === 0;
}
var showUndoPath = validate26;
var schema27 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema27.required, parentSchema: schema27, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema27.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema27.properties.name.type, parentSchema: schema27.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema27.type, parentSchema: schema27, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate26.errors = vErrors;
  return errors === 0;
}
var undoAppSettingsPath = validate27;
var schema28 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate27(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema28.required, parentSchema: schema28, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema28.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema28.properties.name.type, parentSchema: schema28.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema28.type, parentSchema: schema28, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate27.errors = vErrors;
  return errors === 0;
}
var listAppAddressesPath = validate28;
var schema29 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate28(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema29.required, parentSchema: schema29, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema29.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema29.properties.name.type, parentSchema: schema29.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema29.type, parentSchema: schema29, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate28.errors = vErrors;
  return errors === 0;
}
var listKeptFilesPath = validate29;
var schema30 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate29(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema30.required, parentSchema: schema30, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema30.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema30.properties.name.type, parentSchema: schema30.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema30.type, parentSchema: schema30, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate29.errors = vErrors;
  return errors === 0;
}
var acceptDisksPath = validate30;
var schema31 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[^/]+$" } } };
function validate30(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema31.required, parentSchema: schema31, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema31.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema31.properties.name.type, parentSchema: schema31.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
  } else {
    const err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema31.type, parentSchema: schema31, data };
    if (vErrors === null) {
      vErrors = [err3];
    } else {
      vErrors.push(err3);
    }
    errors++;
  }
  validate30.errors = vErrors;
  return errors === 0;
}

export const bodyValidators: Readonly<Record<'restoreRemovedApp' | 'deleteRemovedApp' | 'setNotifications' | 'makeBackup' | 'restoreBackup' | 'rehearseBackup' | 'setBackupSchedule' | 'setAppUpdates' | 'joinGateway' | 'publishApp' | 'withdrawRoute', Validator>> = {
  restoreRemovedApp: restoreRemovedAppBody as Validator,
  deleteRemovedApp: deleteRemovedAppBody as Validator,
  setNotifications: setNotificationsBody as Validator,
  makeBackup: makeBackupBody as Validator,
  restoreBackup: restoreBackupBody as Validator,
  rehearseBackup: rehearseBackupBody as Validator,
  setBackupSchedule: setBackupScheduleBody as Validator,
  setAppUpdates: setAppUpdatesBody as Validator,
  joinGateway: joinGatewayBody as Validator,
  publishApp: publishAppBody as Validator,
  withdrawRoute: withdrawRouteBody as Validator,
};

export const pathValidators: Readonly<Record<'showApp' | 'measureApp' | 'readAppLog' | 'followAppLog' | 'restartApp' | 'showUndo' | 'undoAppSettings' | 'listAppAddresses' | 'listKeptFiles' | 'acceptDisks', Validator>> = {
  showApp: showAppPath as Validator,
  measureApp: measureAppPath as Validator,
  readAppLog: readAppLogPath as Validator,
  followAppLog: followAppLogPath as Validator,
  restartApp: restartAppPath as Validator,
  showUndo: showUndoPath as Validator,
  undoAppSettings: undoAppSettingsPath as Validator,
  listAppAddresses: listAppAddressesPath as Validator,
  listKeptFiles: listKeptFilesPath as Validator,
  acceptDisks: acceptDisksPath as Validator,
};
