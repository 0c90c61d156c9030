// Texts under way, apart from the elements that show them: a view may go and come again, and nothing is lost.

/**
 * @typedef {object} Draft
 * @property {string} text  as it is written now
 * @property {string} saved  as the server has it
 * @property {string|null} version  of the file that the writing began with
 * @property {[number, number]} [caret]
 * @property {[number, number]} [scroll]
 */

/** Drafts by key, such as "fixture webchat" or "reply 4711". */
export class Drafts {
	all = new Map();

	/** The draft of this key; a new one when there is none. */
	of(key, saved = "", version = null) {
		if (!this.all.has(key)) this.all.set(key, { text: saved, saved, version });
		return this.all.get(key);
	}

	/** What the server has now becomes the draft, unless there is other text under way. Whether it did. */
	renew(key, saved, version = null) {
		const draft = this.of(key, saved, version);
		const isMine = draft.text === saved;
		if (!isMine && draft.text !== draft.saved) return false;
		Object.assign(draft, { text: saved, saved, version });
		return true;
	}

	isUnsaved(key) {
		const draft = this.all.get(key);
		return Boolean(draft) && draft.text !== draft.saved;
	}

	get unsaved() { return [...this.all.keys()].filter((key) => this.isUnsaved(key)) }
}
