// @ts-nocheck: the validators below are ajv's; the generator declares the types of the exports.
/**
 * Made by `node spec/generate.ts` from spec/box.openapi.yaml and spec/manifest.schema.json. Never edited.
 *
 * `operations` is the table of endpoints in the document's order. `pathValidators[id]({ name })` and
 * `bodyValidators[id](body)` leave all errors in `.errors`. An error belongs to the first segment of its
 * `instancePath`; for the keyword `required` at the top, to `params.missingProperty`. The first row of
 * `constraintRefusals[id]` that applies is the refusal. A row with `absent` applies to a missing property or one of
 * these values, any other row to an error of its property. The body must be an object, so that every error has a row.
 */

export type OperationId =
  | 'showPage'
  | 'showAppsPage'
  | 'showAppsFolderPage'
  | 'listApps'
  | 'listBundledApps'
  | 'getAppSettings'
  | 'updateAppSettings'
  | 'updateApp'
  | 'checkSelfUpdate'
  | 'applySelfUpdate'
  | 'getSelfUpdateStatus'
  | 'installApp'
  | 'removeApp';

export type DocumentRefusal =
  | 'invalidAppName'
  | 'settingsMissing'
  | 'nameMissing'
  | 'settingsNotObject';

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
    "operationId": "showPage",
    "method": "GET",
    "path": "/"
  },
  {
    "operationId": "showAppsPage",
    "method": "GET",
    "path": "/apps"
  },
  {
    "operationId": "showAppsFolderPage",
    "method": "GET",
    "path": "/apps/"
  },
  {
    "operationId": "listApps",
    "method": "GET",
    "path": "/api/apps"
  },
  {
    "operationId": "listBundledApps",
    "method": "GET",
    "path": "/api/bundled"
  },
  {
    "operationId": "getAppSettings",
    "method": "GET",
    "path": "/api/apps/{name}/settings"
  },
  {
    "operationId": "updateAppSettings",
    "method": "POST",
    "path": "/api/apps/{name}/settings"
  },
  {
    "operationId": "updateApp",
    "method": "POST",
    "path": "/api/apps/{name}/update"
  },
  {
    "operationId": "checkSelfUpdate",
    "method": "POST",
    "path": "/api/self/update/check"
  },
  {
    "operationId": "applySelfUpdate",
    "method": "POST",
    "path": "/api/self/update/apply"
  },
  {
    "operationId": "getSelfUpdateStatus",
    "method": "GET",
    "path": "/api/self/update/status"
  },
  {
    "operationId": "installApp",
    "method": "POST",
    "path": "/api/apps/install"
  },
  {
    "operationId": "removeApp",
    "method": "POST",
    "path": "/api/apps/remove"
  }
];

export const constraintRefusals: Readonly<Record<OperationId, readonly ConstraintRefusal[]>> = {
  "showPage": [],
  "showAppsPage": [],
  "showAppsFolderPage": [],
  "listApps": [],
  "listBundledApps": [],
  "getAppSettings": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "updateAppSettings": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    },
    {
      "in": "body",
      "at": "settings",
      "refusal": "settingsMissing"
    }
  ],
  "updateApp": [
    {
      "in": "path",
      "at": "name",
      "refusal": "invalidAppName"
    }
  ],
  "checkSelfUpdate": [],
  "applySelfUpdate": [],
  "getSelfUpdateStatus": [],
  "installApp": [
    {
      "in": "body",
      "at": "name",
      "refusal": "nameMissing"
    },
    {
      "in": "body",
      "at": "settings",
      "refusal": "settingsNotObject"
    }
  ],
  "removeApp": [
    {
      "in": "body",
      "at": "name",
      "refusal": "nameMissing"
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
var updateAppSettingsBody = validate10;
var schema11 = { "type": "object", "required": ["settings"], "properties": { "settings": { "type": "object", "additionalProperties": true, "x-refusal": "settingsMissing" } } };
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.settings === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "settings" }, message: "must have required property 'settings'", schema: schema11.required, parentSchema: schema11, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.settings !== void 0) {
      let data0 = data.settings;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
      } else {
        const err1 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema11.properties.settings.type, parentSchema: schema11.properties.settings, data: data0 };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
  } else {
    const err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema11.type, parentSchema: schema11, data };
    if (vErrors === null) {
      vErrors = [err2];
    } else {
      vErrors.push(err2);
    }
    errors++;
  }
  validate10.errors = vErrors;
  return errors === 0;
}
var installAppBody = validate11;
var schema12 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "minLength": 1, "x-refusal": "nameMissing" }, "settings": { "type": "object", "additionalProperties": true, "x-refusal": "settingsNotObject", "nullable": true } } };
var func2 = require_ucs2length().default;
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema12.required, parentSchema: schema12, data };
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
        if (func2(data0) < 1) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema12.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema12.properties.name.type, parentSchema: schema12.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.settings !== void 0) {
      let data1 = data.settings;
      if (!(data1 && typeof data1 == "object" && !Array.isArray(data1)) && data1 !== null) {
        const err3 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema12.properties.settings.type, parentSchema: schema12.properties.settings, data: data1 };
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
var removeAppBody = validate12;
var schema13 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "minLength": 1, "x-refusal": "nameMissing" } } };
function validate12(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema13.required, parentSchema: schema13, data };
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
        if (func2(data0) < 1) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema13.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      } else {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema13.properties.name.type, parentSchema: schema13.properties.name, data: data0 };
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
var getAppSettingsPath = validate13;
var schema14 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "minLength": 1, "pattern": "^[^/]+$" } } };
var pattern0 = new RegExp("^[^/]+$", "u");
function validate13(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema14.required, parentSchema: schema14, data };
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
        if (func2(data0) < 1) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema14.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (!pattern0.test(data0)) {
          const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema14.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema14.properties.name.type, parentSchema: schema14.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
  } else {
    const err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema14.type, parentSchema: schema14, data };
    if (vErrors === null) {
      vErrors = [err4];
    } else {
      vErrors.push(err4);
    }
    errors++;
  }
  validate13.errors = vErrors;
  return errors === 0;
}
var updateAppSettingsPath = validate14;
var schema15 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "minLength": 1, "pattern": "^[^/]+$" } } };
function validate14(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema15.required, parentSchema: schema15, data };
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
        if (func2(data0) < 1) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema15.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (!pattern0.test(data0)) {
          const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema15.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema15.properties.name.type, parentSchema: schema15.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
  } else {
    const err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema15.type, parentSchema: schema15, data };
    if (vErrors === null) {
      vErrors = [err4];
    } else {
      vErrors.push(err4);
    }
    errors++;
  }
  validate14.errors = vErrors;
  return errors === 0;
}
var updateAppPath = validate15;
var schema16 = { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "minLength": 1, "pattern": "^[^/]+$" } } };
function validate15(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema16.required, parentSchema: schema16, data };
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
        if (func2(data0) < 1) {
          const err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters", schema: 1, parentSchema: schema16.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
        if (!pattern0.test(data0)) {
          const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[^/]+$" }, message: 'must match pattern "^[^/]+$"', schema: "^[^/]+$", parentSchema: schema16.properties.name, data: data0 };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema16.properties.name.type, parentSchema: schema16.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
  } else {
    const err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema16.type, parentSchema: schema16, data };
    if (vErrors === null) {
      vErrors = [err4];
    } else {
      vErrors.push(err4);
    }
    errors++;
  }
  validate15.errors = vErrors;
  return errors === 0;
}
var manifest = validate16;
var schema17 = { "$schema": "http://json-schema.org/draft-07/schema#", "title": "Manifest of an app", "type": "object", "required": ["name", "version"], "properties": { "name": { "type": "string" }, "version": { "type": "string" }, "display_name": { "type": "string" }, "description": { "type": "string", "default": "" }, "description_long": { "type": "string", "default": "" }, "ports": { "type": "array", "default": [], "items": { "type": ["integer", "object"], "required": ["port"], "properties": { "port": { "type": "integer" }, "protocol": { "type": "string" }, "label": { "type": "string" } } } }, "icon": { "type": "string", "default": "" }, "release_notes": {}, "category": {}, "store": {}, "settings": { "type": "array", "default": [], "items": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" }, "label": { "type": "string" }, "description": { "type": "string", "default": "" }, "type": { "type": "string", "default": "text" }, "required": { "type": "boolean", "default": false }, "default": { "type": ["string", "null"], "default": null }, "options": {}, "generate": {}, "advanced": {}, "address": {} } } }, "backup": { "type": "object", "properties": { "exclude": { "type": "array", "items": { "type": "string", "pattern": "^[^\\u0000\\n]+$" } }, "volumes": { "type": "object", "properties": { "exclude": { "type": "array", "items": { "type": "string" } } } } } } } };
var pattern3 = new RegExp("^[A-Za-z_][A-Za-z0-9_]*$", "u");
var pattern4 = new RegExp("^[^\\u0000\\n]+$", "u");
function validate16(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.description === void 0) {
      data.description = "";
    }
    if (data.description_long === void 0) {
      data.description_long = "";
    }
    if (data.ports === void 0) {
      data.ports = [];
    }
    if (data.icon === void 0) {
      data.icon = "";
    }
    if (data.settings === void 0) {
      data.settings = [];
    }
    if (data.name === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema17.required, parentSchema: schema17, data };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.version === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'", schema: schema17.required, parentSchema: schema17, data };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 !== "string") {
        const err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.name.type, parentSchema: schema17.properties.name, data: data0 };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.version !== void 0) {
      let data1 = data.version;
      if (typeof data1 !== "string") {
        const err3 = { instancePath: instancePath + "/version", schemaPath: "#/properties/version/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.version.type, parentSchema: schema17.properties.version, data: data1 };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.display_name !== void 0) {
      let data2 = data.display_name;
      if (typeof data2 !== "string") {
        const err4 = { instancePath: instancePath + "/display_name", schemaPath: "#/properties/display_name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.display_name.type, parentSchema: schema17.properties.display_name, data: data2 };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    let data3 = data.description;
    if (typeof data3 !== "string") {
      const err5 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.description.type, parentSchema: schema17.properties.description, data: data3 };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    let data4 = data.description_long;
    if (typeof data4 !== "string") {
      const err6 = { instancePath: instancePath + "/description_long", schemaPath: "#/properties/description_long/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.description_long.type, parentSchema: schema17.properties.description_long, data: data4 };
      if (vErrors === null) {
        vErrors = [err6];
      } else {
        vErrors.push(err6);
      }
      errors++;
    }
    let data5 = data.ports;
    if (Array.isArray(data5)) {
      const len0 = data5.length;
      for (let i0 = 0; i0 < len0; i0++) {
        let data6 = data5[i0];
        if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6)) && !(data6 && typeof data6 == "object" && !Array.isArray(data6))) {
          const err7 = { instancePath: instancePath + "/ports/" + i0, schemaPath: "#/properties/ports/items/type", keyword: "type", params: { type: schema17.properties.ports.items.type }, message: "must be integer,object", schema: schema17.properties.ports.items.type, parentSchema: schema17.properties.ports.items, data: data6 };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
          if (data6.port === void 0) {
            const err8 = { instancePath: instancePath + "/ports/" + i0, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'", schema: schema17.properties.ports.items.required, parentSchema: schema17.properties.ports.items, data: data6 };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
          if (data6.port !== void 0) {
            let data7 = data6.port;
            if (!(typeof data7 == "number" && (!(data7 % 1) && !isNaN(data7)) && isFinite(data7))) {
              const err9 = { instancePath: instancePath + "/ports/" + i0 + "/port", schemaPath: "#/properties/ports/items/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer", schema: schema17.properties.ports.items.properties.port.type, parentSchema: schema17.properties.ports.items.properties.port, data: data7 };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          }
          if (data6.protocol !== void 0) {
            let data8 = data6.protocol;
            if (typeof data8 !== "string") {
              const err10 = { instancePath: instancePath + "/ports/" + i0 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.ports.items.properties.protocol.type, parentSchema: schema17.properties.ports.items.properties.protocol, data: data8 };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
          }
          if (data6.label !== void 0) {
            let data9 = data6.label;
            if (typeof data9 !== "string") {
              const err11 = { instancePath: instancePath + "/ports/" + i0 + "/label", schemaPath: "#/properties/ports/items/properties/label/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.ports.items.properties.label.type, parentSchema: schema17.properties.ports.items.properties.label, data: data9 };
              if (vErrors === null) {
                vErrors = [err11];
              } else {
                vErrors.push(err11);
              }
              errors++;
            }
          }
        }
      }
    } else {
      const err12 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema17.properties.ports.type, parentSchema: schema17.properties.ports, data: data5 };
      if (vErrors === null) {
        vErrors = [err12];
      } else {
        vErrors.push(err12);
      }
      errors++;
    }
    let data10 = data.icon;
    if (typeof data10 !== "string") {
      const err13 = { instancePath: instancePath + "/icon", schemaPath: "#/properties/icon/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.icon.type, parentSchema: schema17.properties.icon, data: data10 };
      if (vErrors === null) {
        vErrors = [err13];
      } else {
        vErrors.push(err13);
      }
      errors++;
    }
    let data11 = data.settings;
    if (Array.isArray(data11)) {
      const len1 = data11.length;
      for (let i1 = 0; i1 < len1; i1++) {
        let data12 = data11[i1];
        if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
          if (data12.description === void 0) {
            data12.description = "";
          }
          if (data12.type === void 0) {
            data12.type = "text";
          }
          if (data12.required === void 0) {
            data12.required = false;
          }
          if (data12.default === void 0) {
            data12.default = null;
          }
          if (data12.name === void 0) {
            const err14 = { instancePath: instancePath + "/settings/" + i1, schemaPath: "#/properties/settings/items/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'", schema: schema17.properties.settings.items.required, parentSchema: schema17.properties.settings.items, data: data12 };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
          if (data12.name !== void 0) {
            let data13 = data12.name;
            if (typeof data13 === "string") {
              if (!pattern3.test(data13)) {
                const err15 = { instancePath: instancePath + "/settings/" + i1 + "/name", schemaPath: "#/properties/settings/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }, message: 'must match pattern "^[A-Za-z_][A-Za-z0-9_]*$"', schema: "^[A-Za-z_][A-Za-z0-9_]*$", parentSchema: schema17.properties.settings.items.properties.name, data: data13 };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            } else {
              const err16 = { instancePath: instancePath + "/settings/" + i1 + "/name", schemaPath: "#/properties/settings/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.settings.items.properties.name.type, parentSchema: schema17.properties.settings.items.properties.name, data: data13 };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          }
          if (data12.label !== void 0) {
            let data14 = data12.label;
            if (typeof data14 !== "string") {
              const err17 = { instancePath: instancePath + "/settings/" + i1 + "/label", schemaPath: "#/properties/settings/items/properties/label/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.settings.items.properties.label.type, parentSchema: schema17.properties.settings.items.properties.label, data: data14 };
              if (vErrors === null) {
                vErrors = [err17];
              } else {
                vErrors.push(err17);
              }
              errors++;
            }
          }
          let data15 = data12.description;
          if (typeof data15 !== "string") {
            const err18 = { instancePath: instancePath + "/settings/" + i1 + "/description", schemaPath: "#/properties/settings/items/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.settings.items.properties.description.type, parentSchema: schema17.properties.settings.items.properties.description, data: data15 };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
          let data16 = data12.type;
          if (typeof data16 !== "string") {
            const err19 = { instancePath: instancePath + "/settings/" + i1 + "/type", schemaPath: "#/properties/settings/items/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.settings.items.properties.type.type, parentSchema: schema17.properties.settings.items.properties.type, data: data16 };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
          let data17 = data12.required;
          if (typeof data17 !== "boolean") {
            const err20 = { instancePath: instancePath + "/settings/" + i1 + "/required", schemaPath: "#/properties/settings/items/properties/required/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean", schema: schema17.properties.settings.items.properties.required.type, parentSchema: schema17.properties.settings.items.properties.required, data: data17 };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
          let data18 = data12.default;
          if (typeof data18 !== "string" && data18 !== null) {
            const err21 = { instancePath: instancePath + "/settings/" + i1 + "/default", schemaPath: "#/properties/settings/items/properties/default/type", keyword: "type", params: { type: schema17.properties.settings.items.properties.default.type }, message: "must be string,null", schema: schema17.properties.settings.items.properties.default.type, parentSchema: schema17.properties.settings.items.properties.default, data: data18 };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        } else {
          const err22 = { instancePath: instancePath + "/settings/" + i1, schemaPath: "#/properties/settings/items/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema17.properties.settings.items.type, parentSchema: schema17.properties.settings.items, data: data12 };
          if (vErrors === null) {
            vErrors = [err22];
          } else {
            vErrors.push(err22);
          }
          errors++;
        }
      }
    } else {
      const err23 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema17.properties.settings.type, parentSchema: schema17.properties.settings, data: data11 };
      if (vErrors === null) {
        vErrors = [err23];
      } else {
        vErrors.push(err23);
      }
      errors++;
    }
    if (data.backup !== void 0) {
      let data19 = data.backup;
      if (data19 && typeof data19 == "object" && !Array.isArray(data19)) {
        if (data19.exclude !== void 0) {
          let data20 = data19.exclude;
          if (Array.isArray(data20)) {
            const len2 = data20.length;
            for (let i2 = 0; i2 < len2; i2++) {
              let data21 = data20[i2];
              if (typeof data21 === "string") {
                if (!pattern4.test(data21)) {
                  const err24 = { instancePath: instancePath + "/backup/exclude/" + i2, schemaPath: "#/properties/backup/properties/exclude/items/pattern", keyword: "pattern", params: { pattern: "^[^\\u0000\\n]+$" }, message: 'must match pattern "^[^\\u0000\\n]+$"', schema: "^[^\\u0000\\n]+$", parentSchema: schema17.properties.backup.properties.exclude.items, data: data21 };
                  if (vErrors === null) {
                    vErrors = [err24];
                  } else {
                    vErrors.push(err24);
                  }
                  errors++;
                }
              } else {
                const err25 = { instancePath: instancePath + "/backup/exclude/" + i2, schemaPath: "#/properties/backup/properties/exclude/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.backup.properties.exclude.items.type, parentSchema: schema17.properties.backup.properties.exclude.items, data: data21 };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
            }
          } else {
            const err26 = { instancePath: instancePath + "/backup/exclude", schemaPath: "#/properties/backup/properties/exclude/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema17.properties.backup.properties.exclude.type, parentSchema: schema17.properties.backup.properties.exclude, data: data20 };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
        if (data19.volumes !== void 0) {
          let data22 = data19.volumes;
          if (data22 && typeof data22 == "object" && !Array.isArray(data22)) {
            if (data22.exclude !== void 0) {
              let data23 = data22.exclude;
              if (Array.isArray(data23)) {
                const len3 = data23.length;
                for (let i3 = 0; i3 < len3; i3++) {
                  let data24 = data23[i3];
                  if (typeof data24 !== "string") {
                    const err27 = { instancePath: instancePath + "/backup/volumes/exclude/" + i3, schemaPath: "#/properties/backup/properties/volumes/properties/exclude/items/type", keyword: "type", params: { type: "string" }, message: "must be string", schema: schema17.properties.backup.properties.volumes.properties.exclude.items.type, parentSchema: schema17.properties.backup.properties.volumes.properties.exclude.items, data: data24 };
                    if (vErrors === null) {
                      vErrors = [err27];
                    } else {
                      vErrors.push(err27);
                    }
                    errors++;
                  }
                }
              } else {
                const err28 = { instancePath: instancePath + "/backup/volumes/exclude", schemaPath: "#/properties/backup/properties/volumes/properties/exclude/type", keyword: "type", params: { type: "array" }, message: "must be array", schema: schema17.properties.backup.properties.volumes.properties.exclude.type, parentSchema: schema17.properties.backup.properties.volumes.properties.exclude, data: data23 };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
          } else {
            const err29 = { instancePath: instancePath + "/backup/volumes", schemaPath: "#/properties/backup/properties/volumes/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema17.properties.backup.properties.volumes.type, parentSchema: schema17.properties.backup.properties.volumes, data: data22 };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
      } else {
        const err30 = { instancePath: instancePath + "/backup", schemaPath: "#/properties/backup/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema17.properties.backup.type, parentSchema: schema17.properties.backup, data: data19 };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
  } else {
    const err31 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object", schema: schema17.type, parentSchema: schema17, data };
    if (vErrors === null) {
      vErrors = [err31];
    } else {
      vErrors.push(err31);
    }
    errors++;
  }
  validate16.errors = vErrors;
  return errors === 0;
}

export const bodyValidators: Readonly<Record<'updateAppSettings' | 'installApp' | 'removeApp', Validator>> = {
  updateAppSettings: updateAppSettingsBody as Validator,
  installApp: installAppBody as Validator,
  removeApp: removeAppBody as Validator,
};

export const pathValidators: Readonly<Record<'getAppSettings' | 'updateAppSettings' | 'updateApp', Validator>> = {
  getAppSettings: getAppSettingsPath as Validator,
  updateAppSettings: updateAppSettingsPath as Validator,
  updateApp: updateAppPath as Validator,
};

export const validateManifest: Validator = manifest as Validator;
