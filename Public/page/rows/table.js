/** The renderers by the type of a row. A row without an entry here is shown by the fallback renderer. */
import { isField } from "../words.js";
import { catalogFeature, catalogItem } from "./catalog.js";
import { empty, failure, header, loading, note } from "./content.js";
import { fallback } from "./fallback.js";
import { avatarField, field } from "./field.js";
import {
  activityEntry, company, fieldError, formButton, formGroup, formInfo, formOffer, formSplitter,
  formTitle, link, pageProgress,
} from "./form.js";
import { editButton } from "./parts.js";
import { podcast, podcastsHeader } from "./podcasts.js";
import { post, profileAttribute, profileHeader } from "./profile.js";
import { player, scoreboard, scoreboardHeader } from "./scoreboards.js";

/** @typedef {import("./renderer.js").Row} Row */

/** @type {{[type: string]: import("./renderer.js").Renderer<any>}} */
const renderers = {
  profileHeader, profileAttribute, post,
  profileError: failure, contentError: failure, loadError: failure, saveError: failure,
  contentHeader: header, contentLoading: loading, contentEmpty: empty,
  podcastsHeader, podcast,
  scoreboardsHeader: header, scoreboardsEmpty: empty, scoreboard,
  scoreboardHeader, playersEmpty: empty, player,
  catalogItem, catalogFeature,
  formTitle, formHeader: header, formGroup, formButton, formNotice: note, fieldError,
  formInfo, formOffer, formSplitter, link, avatarField,
  company, moreCompanies: note, activityEntry, pageProgress, pageEnd: note,
};

/**
 * Returns the renderer of a row, with a button for its edits.
 *
 * @param {Row} row
 * @returns {import("./renderer.js").Renderer<any>}
 */
export function rendererOf(row) {
  const renderer = kindOf(row);
  return (host, context) => {
    const show = renderer(host, context);
    if (!context.canEdit(row)) return show;
    const button = editButton(context, row.id);
    host.append(button.element);
    return (shown) => {
      show(shown);
      button.show(shown);
    };
  };
}

/**
 * Returns the renderer by the type of a row. An editable row of a type without one is shown by the type of its
 * input.
 *
 * @param {Row} row
 * @returns {import("./renderer.js").Renderer<any>}
 */
export function kindOf(row) {
  if (Object.hasOwn(renderers, row.type)) return renderers[row.type];
  return isField(row) ? field : fallback;
}
