"""Imports two files with the importers of GnuCash 4 itself, without its windows, and prints what is in the book.

    gnucash_import.py ACCOUNTS.csv TRANSACTIONS.csv BOOK.gnucash

The assistants of the program only show what the functions below do: `csv_import_read_file` and `csv_account_import`
read the accounts, the class `GncTxImport` the transactions. Both are exported by libgnc-csv-import. They are called as
an assistant calls them when its user takes the setting "GnuCash Export Format", the date format y-m-d and the period
as decimal sign. The book is saved, and read and added up again by GnuCash's own Python bindings.
"""

import csv
import ctypes
import json
import re
import sys
from ctypes import CDLL, POINTER, RTLD_GLOBAL, byref, c_bool, c_char_p, c_int, c_long, c_uint, c_void_p
from pathlib import Path

LIBRARY = next(Path("/usr/lib").glob("*/gnucash/gnucash/libgnc-csv-import.so"))
LIST_STORE_COLUMNS = 13
G_TYPE_STRING = 16 << 2
MATCH_FOUND = 3
CSV = 1
PRESET_OF_GNUCASH = 1
SESSION_NEW_STORE = 2
PERIOD = 1
YEAR_MONTH_DAY = 0


class AccountImport(ctypes.Structure):
    """`CsvImportInfo`."""

    _fields_ = [
        ("assistant", c_void_p),
        ("file_chooser", c_void_p),
        ("tree_view", c_void_p),
        ("store", c_void_p),
        ("regexp", c_void_p),
        ("header_row_spin", c_void_p),
        ("finish_label", c_void_p),
        ("summary_label", c_void_p),
        ("summary_error_view", c_void_p),
        ("file_page", c_void_p),
        ("account_page", c_void_p),
        ("starting_dir", c_char_p),
        ("file_name", c_char_p),
        ("error", c_char_p),
        ("header_rows", c_int),
        ("num_new", c_int),
        ("num_updates", c_int),
        ("new_book", c_int),
    ]


class Text(ctypes.Structure):
    """A `std::string` of libstdc++."""

    _fields_ = [("data", c_void_p), ("size", c_long), ("local", ctypes.c_char * 16)]

    def said(self):
        return ctypes.string_at(self.data, self.size).decode() if self.data else ""


def text(value):
    kept = ctypes.create_string_buffer(value)
    made = Text(ctypes.addressof(kept), len(value), b"")
    made.kept = kept
    return made


def function(library, name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


def accounts(library, file):
    store = function(library, "gtk_list_store_newv", c_void_p, c_int, c_void_p)(
        LIST_STORE_COLUMNS, (c_long * LIST_STORE_COLUMNS)(*[G_TYPE_STRING] * LIST_STORE_COLUMNS)
    )
    # The pattern that the assistant makes for commas.
    pattern = re.search(rb"\\G\(\?<type>[^\0]*", LIBRARY.read_bytes()).group().replace(b"%s", b",")
    read = function(library, "csv_import_read_file", c_int, c_void_p, c_char_p, c_char_p, c_void_p, c_uint)
    assert read(None, file.encode(), pattern, store, 0xFFFFFFFF) == MATCH_FOUND, "no heading is recognised"
    info = AccountImport(store=store, file_name=file.encode(), error=b"", header_rows=1)
    function(library, "csv_account_import", None, POINTER(AccountImport))(byref(info))
    assert not info.error, info.error.decode()
    return {"new": info.num_new, "updated": info.num_updates}


def errors(vector):
    """What is wrong with each line: the second of a tuple of five, which is kept from its last."""
    first, end = (c_void_p.from_address(vector + at).value for at in (0, 8))
    return [said for line in range(first, end, 96) if (said := Text.from_address(line + 40).said())][:3]


def match_accounts(library, file):
    """What a user of GnuCash 4 does on the page "Match Import and GnuCash accounts", once for each account: says that
    it is the one of that name. It is kept in the book. GnuCash 5 finds them itself."""
    root = function(library, "gnc_get_current_root_account", c_void_p)()
    of_name = function(library, "gnc_account_lookup_by_full_name", c_void_p, c_void_p, c_char_p)
    match = function(library, "gnc_csv_account_map_change_mappings", None, c_void_p, c_void_p, c_char_p)
    with open(file, encoding="utf-8", newline="") as lines:
        for name in {line["Full Account Name"] for line in csv.DictReader(lines)}:
            account = of_name(root, name.encode())
            assert account, f"there is no account {name}"
            match(None, account, name.encode())


def transactions(library, file):
    """What the assistant does. An exception of the importer ends the process, with its message."""

    def call(name, *arguments, result=None):
        kinds = [c_void_p, *(type(argument) for argument in arguments)]
        return function(library, f"_ZN11GncTxImport{name}", result, *kinds)(importer, *arguments)

    match_accounts(library, file)
    importer = ctypes.create_string_buffer(1 << 16)
    importer = ctypes.cast(importer, c_void_p)
    path = text(file.encode())
    call("C1E16GncImpFileFormat", c_int(CSV))
    call("9load_fileERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", ctypes.pointer(path))
    call("8tokenizeEb", c_bool(True))
    # A vector of shared pointers: a pointer to the first, each of two pointers.
    presets = function(library, "_Z24get_import_presets_transv", POINTER(POINTER(c_void_p)))()
    call("8settingsERK19CsvTransImpSettings", c_void_p(presets[0][2 * PRESET_OF_GNUCASH]))
    call("11date_formatEi", c_int(YEAR_MONTH_DAY))
    call("15currency_formatEi", c_int(PERIOD))
    wrong = Text()
    # A string is returned by way of an address that comes first.
    function(library, "_ZN11GncTxImport6verifyB5cxx11Ev", c_void_p, c_void_p, c_void_p)(
        ctypes.addressof(wrong), importer
    )
    assert not wrong.said(), [wrong.said(), *errors(importer.value + 8)]
    call("19create_transactionsEv")

    # A multimap follows a pointer and a vector: a comparison, the head of its tree, and how many there are.
    head = importer.value + 40
    word = lambda address: c_void_p.from_address(address).value
    following = function(
        CDLL("libstdc++.so.6"), "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", c_void_p, c_void_p
    )
    commit = function(library, "xaccTransCommitEdit", None, c_void_p)
    balanced = function(library, "xaccTransIsBalanced", c_int, c_void_p)
    node, count = word(head + 16), 0
    while node != head:
        draft = word(node + 40)
        transaction = word(draft)
        assert balanced(transaction), "a transaction does not balance"
        commit(transaction)
        count, node = count + 1, following(node)
    assert count == word(head + 32), (count, word(head + 32))
    return {"new": count}


def imported(accounts_file, transactions_file, book_file):
    library = CDLL(str(LIBRARY), mode=RTLD_GLOBAL)
    function(library, "gnc_engine_init", None, c_int, c_void_p)(0, None)
    function(library, "gnc_component_manager_init", None)()
    # The program sets it from its preferences, where it is a colon unless changed.
    function(library, "gnc_set_account_separator", None, c_char_p)(b":")
    session = function(library, "gnc_get_current_session", c_void_p)()
    begin = function(library, "qof_session_begin", None, c_void_p, c_char_p, c_int)
    begin(session, f"xml://{book_file}".encode(), SESSION_NEW_STORE)
    failed = function(library, "qof_session_get_error", c_int, c_void_p)
    assert not failed(session), failed(session)
    done = {"accounts": accounts(library, accounts_file), "transactions": transactions(library, transactions_file)}
    function(library, "qof_session_save", None, c_void_p, c_void_p)(session, None)
    assert not failed(session), failed(session)
    function(library, "qof_session_end", None, c_void_p)(session)
    return done


def book(book_file):
    """The balances and the transactions, as GnuCash's bindings for Python read them."""
    from gnucash import Session, SessionOpenMode

    with Session(f"xml://{book_file}", SessionOpenMode.SESSION_READ_ONLY) as session:
        root = session.book.get_root_account()
        balances, entries = {}, {}
        for account in root.get_descendants():
            balance = account.GetBalance()
            balances[account.get_full_name()] = {
                "unit": account.GetCommodity().get_mnemonic(),
                "amount": [balance.num(), balance.denom()],
                "splits": len(account.GetSplitList()),
                "code": account.GetCode(),
                "description": account.GetDescription(),
            }
            for split in account.GetSplitList():
                transaction = split.parent
                entries[transaction.GetGUID().to_string()] = [
                    str(transaction.GetDate().date()),
                    transaction.GetDescription(),
                    transaction.GetNotes(),
                ]
        return {"balances": balances, "entries": sorted(entries.values())}


if __name__ == "__main__":
    done = imported(*sys.argv[1:])
    print(json.dumps({**done, **book(sys.argv[3])}))
