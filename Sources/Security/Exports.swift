// Apple's module brings these along: a client that imports only Security handles `Data` and `Date`.
@_exported public import Foundation
