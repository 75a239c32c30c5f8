import CanonicalJSON

extension CatalogQueryEndpoints {
  /// The description of the endpoints for the OpenAPI document, and that of the screen.
  static let document = DemoData.value(
    #"""
    {
      "tags": [
        {
          "name": "Catalogs",
          "description": "The store behind the screens `catalog`: sections of items, found by their ids. Single changes are commands of the screen; the questions here spare a client the whole catalog.\n\nThe screen `catalog` has the sections and items of the catalog under their own ids, each item a `catalogItem` or `catalogFeature`."
        }
      ],
      "paths": {
        "/v1/catalogs/{id}/sections": {
          "parameters": [{"$ref": "#/components/parameters/catalogID"}],
          "get": {
            "operationId": "getCatalogSections",
            "tags": ["Catalogs"],
            "summary": "The sections of a catalog",
            "parameters": [
              {"$ref": "#/components/parameters/If-None-Match"},
              {"$ref": "#/components/parameters/limit"},
              {"$ref": "#/components/parameters/after"},
              {"$ref": "#/components/parameters/If-Match-read"}
            ],
            "responses": {
              "200": {
                "description": "The answer.",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/PageETag"},
                  "Link": {"$ref": "#/components/headers/Link"},
                  "Cache-Control": {"$ref": "#/components/headers/NoCache"},
                  "Vary": {"$ref": "#/components/headers/Vary"}
                },
                "content": {
                  "application/json": {
                    "schema": {"$ref": "#/components/schemas/CatalogSections"},
                    "examples": {
                      "answer": {
                        "value": {
                          "numberOfItems": 1,
                          "numberOfSections": 1,
                          "sectionIdentifiers": ["books"]
                        }
                      }
                    }
                  }
                }
              },
              "304": {
                "description": "The client has this page already.",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/PageETag"},
                  "Cache-Control": {"$ref": "#/components/headers/NoCache"},
                  "Vary": {"$ref": "#/components/headers/Vary"}
                }
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "404": {"$ref": "#/components/responses/CatalogNotFound"},
              "403": {"$ref": "#/components/responses/Forbidden"},
              "405": {"$ref": "#/components/responses/MethodNotAllowed"},
              "406": {"$ref": "#/components/responses/NotAcceptable"},
              "410": {"$ref": "#/components/responses/PageGone"},
              "412": {"$ref": "#/components/responses/NotAmongThese"},
              "414": {"$ref": "#/components/responses/TargetTooLong"},
              "417": {"$ref": "#/components/responses/ExpectationFailed"},
              "431": {"$ref": "#/components/responses/FieldsTooLarge"},
              "500": {"$ref": "#/components/responses/ServerFault"},
              "501": {"$ref": "#/components/responses/NotImplemented"},
              "503": {"$ref": "#/components/responses/ShuttingDown"}
            },
            "description": "Their number and identifiers in order, and the number of all items. The entity tag is that of the catalog."
          }
        },
        "/v1/catalogs/{id}/sections/{sectionID}": {
          "parameters": [
            {"$ref": "#/components/parameters/catalogID"},
            {"$ref": "#/components/parameters/sectionID"}
          ],
          "get": {
            "operationId": "getCatalogSection",
            "tags": ["Catalogs"],
            "summary": "A section of a catalog",
            "parameters": [
              {"$ref": "#/components/parameters/If-None-Match"},
              {"$ref": "#/components/parameters/limit"},
              {"$ref": "#/components/parameters/after"},
              {"$ref": "#/components/parameters/If-Match-read"}
            ],
            "responses": {
              "200": {
                "description": "The answer.",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/PageETag"},
                  "Link": {"$ref": "#/components/headers/Link"},
                  "Cache-Control": {"$ref": "#/components/headers/NoCache"},
                  "Vary": {"$ref": "#/components/headers/Vary"}
                },
                "content": {
                  "application/json": {
                    "schema": {"$ref": "#/components/schemas/CatalogSectionPlace"},
                    "examples": {
                      "answer": {
                        "value": {
                          "id": "books",
                          "index": 0,
                          "itemIdentifiers": ["knots"],
                          "numberOfItems": 1,
                          "title": "Books"
                        }
                      }
                    }
                  }
                }
              },
              "304": {
                "description": "The client has this page already.",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/PageETag"},
                  "Cache-Control": {"$ref": "#/components/headers/NoCache"},
                  "Vary": {"$ref": "#/components/headers/Vary"}
                }
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "404": {"$ref": "#/components/responses/CatalogPartNotFound"},
              "403": {"$ref": "#/components/responses/Forbidden"},
              "405": {"$ref": "#/components/responses/MethodNotAllowed"},
              "406": {"$ref": "#/components/responses/NotAcceptable"},
              "410": {"$ref": "#/components/responses/PageGone"},
              "412": {"$ref": "#/components/responses/NotAmongThese"},
              "414": {"$ref": "#/components/responses/TargetTooLong"},
              "417": {"$ref": "#/components/responses/ExpectationFailed"},
              "431": {"$ref": "#/components/responses/FieldsTooLarge"},
              "500": {"$ref": "#/components/responses/ServerFault"},
              "501": {"$ref": "#/components/responses/NotImplemented"},
              "503": {"$ref": "#/components/responses/ShuttingDown"}
            },
            "description": "Its index, and the number and identifiers of its items in order. The entity tag is that of the catalog."
          }
        },
        "/v1/catalogs/{id}/items": {
          "parameters": [{"$ref": "#/components/parameters/catalogID"}],
          "get": {
            "operationId": "getCatalogItems",
            "tags": ["Catalogs"],
            "summary": "The items of a catalog",
            "parameters": [
              {"$ref": "#/components/parameters/If-None-Match"},
              {"$ref": "#/components/parameters/limit"},
              {"$ref": "#/components/parameters/after"},
              {"$ref": "#/components/parameters/If-Match-read"}
            ],
            "responses": {
              "200": {
                "description": "The answer.",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/PageETag"},
                  "Link": {"$ref": "#/components/headers/Link"},
                  "Cache-Control": {"$ref": "#/components/headers/NoCache"},
                  "Vary": {"$ref": "#/components/headers/Vary"}
                },
                "content": {
                  "application/json": {
                    "schema": {"$ref": "#/components/schemas/CatalogItems"},
                    "examples": {
                      "answer": {"value": {"itemIdentifiers": ["knots"], "numberOfItems": 1}}
                    }
                  }
                }
              },
              "304": {
                "description": "The client has this page already.",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/PageETag"},
                  "Cache-Control": {"$ref": "#/components/headers/NoCache"},
                  "Vary": {"$ref": "#/components/headers/Vary"}
                }
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "404": {"$ref": "#/components/responses/CatalogNotFound"},
              "403": {"$ref": "#/components/responses/Forbidden"},
              "405": {"$ref": "#/components/responses/MethodNotAllowed"},
              "406": {"$ref": "#/components/responses/NotAcceptable"},
              "410": {"$ref": "#/components/responses/PageGone"},
              "412": {"$ref": "#/components/responses/NotAmongThese"},
              "414": {"$ref": "#/components/responses/TargetTooLong"},
              "417": {"$ref": "#/components/responses/ExpectationFailed"},
              "431": {"$ref": "#/components/responses/FieldsTooLarge"},
              "500": {"$ref": "#/components/responses/ServerFault"},
              "501": {"$ref": "#/components/responses/NotImplemented"},
              "503": {"$ref": "#/components/responses/ShuttingDown"}
            },
            "description": "The number and identifiers of all items in order. The entity tag is that of the catalog."
          }
        },
        "/v1/catalogs/{id}/items/{itemID}": {
          "parameters": [
            {"$ref": "#/components/parameters/catalogID"},
            {"$ref": "#/components/parameters/itemID"}
          ],
          "get": {
            "operationId": "getCatalogItem",
            "tags": ["Catalogs"],
            "summary": "An item of a catalog",
            "parameters": [
              {"$ref": "#/components/parameters/If-Match-read"},
              {"$ref": "#/components/parameters/If-None-Match"}
            ],
            "responses": {
              "200": {
                "description": "The answer.",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/ResourceETag"},
                  "Cache-Control": {"$ref": "#/components/headers/NoCache"}
                },
                "content": {
                  "application/json": {
                    "schema": {"$ref": "#/components/schemas/CatalogItemPlace"},
                    "examples": {
                      "answer": {
                        "value": {
                          "id": "knots",
                          "index": 0,
                          "indexInSection": 0,
                          "item": {
                            "id": "knots",
                            "type": "catalogItem",
                            "title": "The Book of Knots",
                            "detail": "Paperback"
                          },
                          "section": "books"
                        }
                      }
                    }
                  }
                }
              },
              "304": {
                "description": "The client has this representation already. The header is that of the 200.",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/ResourceETag"},
                  "Cache-Control": {"$ref": "#/components/headers/NoCache"}
                }
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "404": {"$ref": "#/components/responses/CatalogPartNotFound"},
              "403": {"$ref": "#/components/responses/Forbidden"},
              "405": {"$ref": "#/components/responses/MethodNotAllowed"},
              "406": {"$ref": "#/components/responses/NotAcceptable"},
              "412": {"$ref": "#/components/responses/NotAmongThese"},
              "414": {"$ref": "#/components/responses/TargetTooLong"},
              "417": {"$ref": "#/components/responses/ExpectationFailed"},
              "431": {"$ref": "#/components/responses/FieldsTooLarge"},
              "500": {"$ref": "#/components/responses/ServerFault"},
              "501": {"$ref": "#/components/responses/NotImplemented"},
              "503": {"$ref": "#/components/responses/ShuttingDown"}
            },
            "description": "Its content, the section that it is in, and its index in the section and among all items. The entity tag is that of the catalog."
          }
        }
      },
      "components": {
        "schemas": {
          "CatalogItemRow": {
            "properties": {
              "action": {
                "properties": {
                  "command": {
                    "properties": {
                      "operations": {
                        "description": null,
                        "items": {"$ref": "#/components/schemas/CatalogOperation", "oneOf": null}
                      }
                    }
                  }
                }
              }
            }
          },
          "CatalogFeatureRow": {
            "properties": {
              "action": {
                "properties": {
                  "command": {
                    "properties": {
                      "operations": {
                        "description": null,
                        "items": {"$ref": "#/components/schemas/CatalogOperation", "oneOf": null}
                      }
                    }
                  }
                }
              }
            }
          },
          "CatalogSummary": {
            "type": "object",
            "description": "A catalog in the list of all.",
            "required": ["id", "numberOfItems", "numberOfSections"],
            "properties": {
              "id": {"$ref": "#/components/schemas/ResourceID"},
              "numberOfItems": {"type": "integer", "minimum": 0},
              "numberOfSections": {"type": "integer", "minimum": 0}
            },
            "examples": [{"id": 3, "numberOfItems": 1, "numberOfSections": 1}]
          },
          "CatalogSections": {
            "type": "object",
            "required": ["numberOfItems", "numberOfSections", "sectionIdentifiers"],
            "properties": {
              "numberOfItems": {"type": "integer", "minimum": 0},
              "numberOfSections": {"type": "integer", "minimum": 0},
              "sectionIdentifiers": {"type": "array", "items": {"type": "string"}}
            },
            "examples": [
              {"numberOfItems": 1, "numberOfSections": 1, "sectionIdentifiers": ["books"]}
            ]
          },
          "CatalogSectionPlace": {
            "type": "object",
            "required": ["id", "index", "itemIdentifiers", "numberOfItems"],
            "properties": {
              "id": {"type": "string"},
              "index": {"type": "integer", "minimum": 0},
              "itemIdentifiers": {"type": "array", "items": {"type": "string"}},
              "numberOfItems": {"type": "integer", "minimum": 0},
              "title": {
                "type": "string",
                "minLength": 1,
                "maxLength": 1000,
                "description": "1 to 1,000 bytes."
              }
            },
            "examples": [
              {
                "id": "books",
                "index": 0,
                "itemIdentifiers": ["knots"],
                "numberOfItems": 1,
                "title": "Books"
              }
            ]
          },
          "CatalogItems": {
            "type": "object",
            "required": ["itemIdentifiers", "numberOfItems"],
            "properties": {
              "itemIdentifiers": {"type": "array", "items": {"type": "string"}},
              "numberOfItems": {"type": "integer", "minimum": 0}
            },
            "examples": [{"itemIdentifiers": ["knots"], "numberOfItems": 1}]
          },
          "CatalogItemPlace": {
            "type": "object",
            "required": ["id", "index", "indexInSection", "item", "section"],
            "properties": {
              "id": {"type": "string"},
              "index": {
                "type": "integer",
                "minimum": 0,
                "description": "Among all items of the catalog."
              },
              "indexInSection": {"type": "integer", "minimum": 0},
              "item": {"$ref": "#/components/schemas/CatalogItem"},
              "section": {"type": "string"}
            },
            "examples": [
              {
                "id": "knots",
                "index": 0,
                "indexInSection": 0,
                "item": {
                  "id": "knots",
                  "type": "catalogItem",
                  "title": "The Book of Knots",
                  "detail": "Paperback"
                },
                "section": "books"
              }
            ]
          },
          "CatalogApplyCommand": {
            "examples": [
              {
                "type": "apply",
                "operations": [
                  {
                    "operation": "insertItems",
                    "items": [{"id": "ferns", "title": "Ferns and Mosses"}],
                    "after": "knots"
                  },
                  {"operation": "deleteItems", "ids": ["gone"]}
                ]
              }
            ],
            "properties": {
              "operations": {
                "description": null,
                "items": {"$ref": "#/components/schemas/CatalogOperation", "oneOf": null}
              }
            }
          },
          "CommandReply": {
            "properties": {
              "details": {
                "properties": {
                  "ignored": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Of `apply` on the screen `catalog`: the number of ids that it could not delete because they are not there."
                  }
                }
              }
            }
          }
        },
        "parameters": {
          "catalogID": {
            "name": "id",
            "in": "path",
            "required": true,
            "description": "The id of a catalog as text, percent-encoded.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128},
            "example": "3"
          },
          "sectionID": {
            "name": "sectionID",
            "in": "path",
            "required": true,
            "description": "The id of a section as text, percent-encoded.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128},
            "example": "books"
          },
          "itemID": {
            "name": "itemID",
            "in": "path",
            "required": true,
            "description": "The id of an item as text, percent-encoded.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128},
            "example": "knots"
          }
        },
        "responses": {
          "CatalogPartNotFound": {
            "description": "`unknown-catalog` or `unknown-section` or `unknown-item`.",
            "headers": {"Cache-Control": {"$ref": "#/components/headers/NoStore"}},
            "content": {
              "application/problem+json": {
                "schema": {"$ref": "#/components/schemas/ProblemDetails"},
                "examples": {
                  "unknown-catalog": {
                    "value": {
                      "type": "urn:viewdelta:problem:unknown-catalog",
                      "title": "Not Found",
                      "status": 404,
                      "detail": "there is no catalog of this id",
                      "code": "unknown-catalog",
                      "instance": "/v1/catalogs/99"
                    }
                  },
                  "unknown-section": {
                    "value": {
                      "type": "urn:viewdelta:problem:unknown-section",
                      "title": "Not Found",
                      "status": 404,
                      "detail": "the catalog has no section of this id",
                      "code": "unknown-section",
                      "instance": "/v1/catalogs/3/sections/gone"
                    }
                  },
                  "unknown-item": {
                    "value": {
                      "type": "urn:viewdelta:problem:unknown-item",
                      "title": "Not Found",
                      "status": 404,
                      "detail": "the catalog has no item of this id",
                      "code": "unknown-item",
                      "instance": "/v1/catalogs/3/items/gone"
                    }
                  }
                }
              }
            }
          }
        }
      },
      "problems": {
        "404": {
          "unknown-section": "The catalog has no section of this id.",
          "unknown-item": "The catalog has no item of this id."
        }
      }
    }
    """#)
}
