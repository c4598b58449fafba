import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { newName } from "../../platform/name-contract";

/** Console lists whose filters can be saved. */
export const VIEW_PAGES = ["generations"] as const;

export const CreateSavedViewBody = z.strictObject({
  page: z.enum(VIEW_PAGES),
  name: newName(100),
  query: z
    .string()
    .max(2000)
    .meta({ description: "The list's query string, such as `status=blocked&model=sandbox%2Fecho`" }),
  is_shared: z.boolean().default(false).meta({ description: "Whether the view is visible to the whole organization" }),
});

export const UpdateSavedViewBody = z.strictObject({
  name: CreateSavedViewBody.shape.name.optional(),
  query: CreateSavedViewBody.shape.query.optional(),
  is_shared: z
    .boolean()
    .optional()
    .meta(CreateSavedViewBody.shape.is_shared.meta() ?? {}),
});

export const SavedView = z
  .object({
    id: Uuid,
    ...CreateSavedViewBody.shape,
    name: z.string(),
    is_shared: z.boolean(),
    owner_id: z.string().nullable(),
    owner_name: z.string().nullable(),
    is_deletable: z.boolean().meta({
      description: "Whether the caller may change and delete the view: its owner, or an admin if it is shared",
    }),
    created_at: Timestamp,
  })
  .meta({ id: "SavedView" });
export type SavedView = z.output<typeof SavedView>;

const views = { tag: "Saved views", access: "member" } as const;

export const listSavedViews = operation({
  ...views,
  id: "listSavedViews",
  permission: "organization:read",
  method: "GET",
  path: "/saved-views",
  summary: "List your own and shared views, by name",
  query: PageQuery.extend({ page: z.enum(VIEW_PAGES).optional() }),
  status: 200,
  result: page(SavedView),
});

export const createSavedView = operation({
  ...views,
  id: "createSavedView",
  permission: "organization:write",
  method: "POST",
  path: "/saved-views",
  summary: "Save the filters of a list as a view",
  body: CreateSavedViewBody,
  status: 201,
  result: envelope(SavedView),
  idempotent: true,
  example: { body: { page: "generations", name: "Blocked today", query: "status=blocked", is_shared: true } },
});

export const updateSavedView = operation({
  ...views,
  id: "updateSavedView",
  permission: "organization:write",
  method: "PATCH",
  path: "/saved-views/{id}",
  summary: "Rename or change your own view, or with the permission a shared one",
  params: IdParams,
  body: UpdateSavedViewBody,
  status: 200,
  result: envelope(SavedView),
  errors: [409],
  example: { body: { name: "Blocked this week" } },
});

export const deleteSavedView = operation({
  ...views,
  id: "deleteSavedView",
  permission: "organization:write",
  method: "DELETE",
  path: "/saved-views/{id}",
  summary: "Delete your own view, or with the permission a shared one",
  params: IdParams,
  status: 200,
  result: Deleted,
});
